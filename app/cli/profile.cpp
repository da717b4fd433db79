#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/profile_text.h"
#include "app/cli/run_arguments.h"
#include "app/cli/terminal.h"
#include "engine/core/atomic_file.h"
#include "engine/profile/trace_export.h"
#include "engine/report/profile_json.h"

namespace cli {
namespace {

struct Arguments {
    RunArguments run;
    size_t runs = 0;
    double seconds = 0;
    std::string traceFile = {};
    bool showsAll = false;
    bool isJson = false;
};

int perform(const Arguments& arguments, Terminal& terminal) {
    const Prepared prepared = prepare(arguments.run, terminal);
    const engine::ProfileResult result = engine::profile(
        *prepared.session, values(prepared.inputs),
        {.runs = arguments.runs, .seconds = arguments.seconds, .limits = arguments.run.limits}, terminal);
    if (!arguments.traceFile.empty()) {
        const engine::TraceLabels labels{
            .process = prepared.model->path.filename().string(),
            .originNames = engine::originNames(*prepared.model),
            .facts = {{"environment", result.environment}, {"tool", "opscope-cli " OPSCOPE_VERSION}}};
        engine::AtomicFile file(arguments.traceFile);
        file.write(engine::chromeTrace(result.trace, labels));
        file.commit();
    }
    terminal.clear();
    if (arguments.isJson) {
        engine::Json json = {{"schema", 1}, {"model", prepared.model->path.string()}};
        json["inputs"] = engine::Json::array();
        for (const SourcedInput& input : prepared.inputs) {
            json["inputs"].push_back({{"name", input.value.name},
                                      {"type", engine::typeText(input.value.datum.type())},
                                      {"source", input.source}});
        }
        json["providers"] = arguments.run.providers;
        json.update(engine::profileJson(*prepared.session, result));
        std::cout << engine::dump(json) << '\n';
    } else {
        std::cout << profileText(prepared, result, arguments.showsAll ? Rows::all : Rows::slowest);
        if (!arguments.traceFile.empty()) {
            std::cout << "\n  trace: " << arguments.traceFile
                      << " (open it in ui.perfetto.dev or chrome://tracing)\n";
        }
    }
    return done;
}

}  // namespace

Action profile(CLI::App& options) {
    const auto arguments = std::make_shared<Arguments>();
    addRunArguments(options, arguments->run);
    options
        .add_option("--runs", arguments->runs,
                    "Measure so many runs; by default until the median is sure to 0.5 %, 10 s at most")
        ->check(checkPositive)
        ->type_name("N");
    options.add_option("--seconds", arguments->seconds, "Measure for so long")
        ->check(checkPositive)
        ->type_name("S");
    options.add_option("--trace", arguments->traceFile, "Write one run in Chrome's trace event format")
        ->type_name("FILE.json");
    options.add_flag("--all", arguments->showsAll, "Show all nodes, however many");
    options.add_flag("--json", arguments->isJson, "Print JSON, with every latency");
    return [arguments](Terminal& terminal) { return perform(*arguments, terminal); };
}

}  // namespace cli
