#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/ops/custom_ops.h"

namespace {

constexpr cli::Command commands[] = {
    {"info", "What a model is made of: inputs, outputs, operators, parameters, work",
     "opscope-cli info model.onnx --dim batch=8", cli::info},
    {"run", "Run a model once, on given inputs or made-up ones",
     "opscope-cli run model.onnx --input image=cat.npy --outputs results/", cli::run},
    {"profile", "Measure a model: latency, and time per operator and per node",
     "opscope-cli profile model.onnx --dim batch=8 --threads 1 --trace trace.json", cli::profile},
    {"placement", "Which provider takes which node, and why the others do not",
     "opscope-cli placement model.onnx --providers cpu,reference", cli::placement},
    {"compare", "Measure a model over providers, sizes and threads side by side",
     "opscope-cli compare model.onnx --providers cpu --dim batch=1,2,4,8 --threads 1,2", cli::compare},
    {"optimize", "Apply the passes to a model: what they change, and the result as a file",
     "opscope-cli optimize model.onnx --without fold-constants --out smaller.onnx", cli::optimize},
    {"bench", "Run on request, for paired benchmarks: a line N on standard input, N times in answer",
     "echo 100 | opscope-cli bench model.onnx --paced --threads 1", cli::bench},
    {"conformance", "Run folders of onnx test data and say what does not come out right",
     "opscope-cli conformance cases/node cases/simple --providers reference --jobs 2", cli::conformance},
    {"ops", "The operators there are, in which versions, and who runs them", "opscope-cli ops Softmax",
     cli::operators},
    {"providers", "The providers there are, and what they run on", "opscope-cli providers", cli::providers},
    {"trace", "Where the time went in a trace that Opscope, ONNX Runtime or another program recorded",
     "opscope-cli trace onnxruntime_profile.json", cli::trace},
    {"report", "Measure a model and write a report: one HTML file with picture, tables and plots",
     "opscope-cli report model.onnx --out report.html", cli::report},
};

int complain(const std::string& message) {
    std::cerr << "opscope-cli: " << cli::messageText(message) << '\n';
    return cli::impossible;
}

/// Parses, or says what is wrong with the arguments; nothing: go on.
std::optional<int> parse(CLI::App& app, int count, char** arguments) {
    try {
        app.parse(count, arguments);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
        const auto chosen = app.get_subcommands();
        const std::string context = chosen.empty() ? "" : chosen.front()->get_name() + ": ";
        return complain(context + error.what() + " (see --help)");
    }
}

/// What is said of a word that is no command.
std::string unknownCommand(const std::string& word) {
    std::vector<std::string> names;
    for (const cli::Command& command : commands) names.emplace_back(command.name);
    const std::string near = engine::closestWord(word, names);
    return engine::text(
        "there is no command '", word, "'; ",
        near.empty() ? "there are: " + engine::join(names, ", ") : "did you mean '" + near + "'?");
}

bool isCommand(const std::string& word) {
    return std::any_of(std::begin(commands), std::end(commands),
                       [&](const cli::Command& command) { return word == command.name; });
}

int perform(const std::string& name, const std::vector<std::string>& libraries, const cli::Action& action) {
    cli::Terminal terminal;
    try {
        for (const std::string& library : libraries) engine::loadCustomOperators(library);
        const int status = action(terminal);
        cli::flushOutput();
        return status;
    } catch (const engine::Cancelled&) {
        terminal.clear();
        complain(name + ": cancelled");
        return 128 + cli::caughtSignal();
    } catch (const std::bad_alloc&) {
        terminal.clear();
        return complain(name + ": out of memory");
    } catch (const std::exception& error) {
        terminal.clear();
        return complain(name + ": " + error.what());
    }
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app("Inspects, runs and measures ONNX models.", "opscope-cli");
    app.set_version_flag("--version", "opscope-cli " OPSCOPE_VERSION);
    app.require_subcommand(1);
    app.footer(
        "opscope-cli COMMAND --help says more, with an example.\n"
        "Exit status: 0 done, 1 the answer is no, 2 it could not be done.");
    std::map<const CLI::App*, cli::Action> actions;
    std::vector<std::string> libraries;
    for (const cli::Command& command : commands) {
        CLI::App* options = app.add_subcommand(command.name, command.summary);
        options->footer(std::string("Example:\n  ") + command.example);
        actions[options] = command.declare(*options);
        options
            ->add_option("--custom-ops", libraries,
                         "A library of custom operators; its code is run, so name only what you trust")
            ->type_name("LIBRARY")
            ->allow_extra_args(false);
    }
    const bool hasWord = count > 1 && arguments[1][0] != '-' && arguments[1][0] != '\0';
    if (hasWord && !isCommand(arguments[1])) return complain(unknownCommand(arguments[1]));
    if (const std::optional<int> status = parse(app, count, arguments)) return *status;
    cli::watchSignals();
    const CLI::App* chosen = app.get_subcommands().front();
    return perform(chosen->get_name(), libraries, actions.at(chosen));
}
