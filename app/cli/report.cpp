#include "engine/report/report.h"

#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/run_arguments.h"
#include "app/cli/terminal.h"
#include "engine/core/error.h"
#include "engine/report/json.h"

namespace cli {
namespace {

struct Arguments {
    RunArguments run;
    std::string file = {};
    size_t runs = 0;
    double seconds = 0;
    bool isJson = false;
};

/// Refuses before the measurement what could not be written after it.
void checkFile(const std::filesystem::path& file) {
    const std::vector<std::string>& known = engine::reportExtensions();
    if (std::find(known.begin(), known.end(), file.extension().string()) == known.end()) {
        engine::fail("--out ", file.string(), ": expected a name that ends in ", engine::join(known, ", "));
    }
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (!std::filesystem::is_directory(folder)) engine::fail("--out ", file.string(), ": no such folder");
}

int perform(const Arguments& arguments, Terminal& terminal) {
    checkFile(arguments.file);
    const Prepared prepared = prepare(arguments.run, terminal);
    const engine::ProfileResult result = engine::profile(
        *prepared.session, values(prepared.inputs),
        {.runs = arguments.runs, .seconds = arguments.seconds, .limits = arguments.run.limits}, terminal);
    engine::ReportOptions options;
    options.command = "opscope-cli report " + arguments.run.model + " --out " + arguments.file;
    for (const SourcedInput& input : prepared.inputs) {
        options.inputs.push_back(
            {input.value.name, engine::typeText(input.value.datum.type()), input.source});
    }
    engine::saveReport(arguments.file, *prepared.session, result, options);
    terminal.clear();
    if (arguments.isJson) {
        std::cout << engine::dump({{"schema", 1},
                                   {"model", prepared.model->path.string()},
                                   {"file", arguments.file},
                                   {"latency", engine::toJson(result.latencyNs, "ns")}})
                  << '\n';
    } else {
        std::cout << "  written: " << arguments.file << '\n';
    }
    return done;
}

}  // namespace

Action report(CLI::App& options) {
    const auto arguments = std::make_shared<Arguments>();
    addRunArguments(options, arguments->run);
    options
        .add_option("--out", arguments->file,
                    "File for the report; .md, .csv and .json give other forms of it")
        ->required()
        ->type_name("FILE.html");
    options.add_option("--runs", arguments->runs, "Measure so many runs")
        ->check(checkPositive)
        ->type_name("N");
    options.add_option("--seconds", arguments->seconds, "Measure for so long")
        ->check(checkPositive)
        ->type_name("S");
    options.add_flag("--json", arguments->isJson, "Print JSON");
    return [arguments](Terminal& terminal) { return perform(*arguments, terminal); };
}

}  // namespace cli
