#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace cli {

class Terminal;

/// How a command ends; the process's exit status.
enum ExitStatus : int {
    done = 0,
    answerIsNo = 1,  ///< a check failed
    impossible = 2,  ///< it could not be done; standard error says why
};

/// What a command does once its arguments are parsed. Throws engine::Error for what ends it.
using Action = std::function<int(Terminal&)>;

/// A row of the table in main.cpp.
struct Command {
    const char* name;
    const char* summary;
    const char* example;                   ///< of its --help
    Action (*declare)(CLI::App& options);  ///< adds the options; the action reads what was parsed into them
};

// One file each, of the same name.
Action bench(CLI::App& options);
Action compare(CLI::App& options);
Action conformance(CLI::App& options);
Action info(CLI::App& options);
Action operators(CLI::App& options);
Action optimize(CLI::App& options);
Action placement(CLI::App& options);
Action profile(CLI::App& options);
Action providers(CLI::App& options);
Action report(CLI::App& options);
Action run(CLI::App& options);
Action trace(CLI::App& options);

}  // namespace cli
