#include <algorithm>
#include <iostream>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/profile_text.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "engine/profile/trace_import.h"
#include "engine/report/format.h"
#include "engine/report/profile_json.h"

namespace cli {
namespace {

using engine::ImportedTrace;

struct Arguments {
    std::string file = {};
    bool showsAll = false;
    bool isJson = false;
};

const char* sourceName(ImportedTrace::Source source) {
    switch (source) {
        case ImportedTrace::Source::opscope:
            return "Opscope";
        case ImportedTrace::Source::onnxRuntime:
            return "ONNX Runtime";
        case ImportedTrace::Source::other:
            break;
    }
    return "another program";
}

/// The runs summed up as profiles show them.
struct Summary {
    explicit Summary(const ImportedTrace& trace) {
        engine::TraceAggregate aggregate;
        std::vector<double> elapsed;
        for (const engine::Trace& run : trace.runs) {
            aggregate.add(run);
            elapsed.push_back(static_cast<double>(run.elapsedNs));
        }
        runNs = engine::estimate(elapsed);
        steps = aggregate.steps();
        types = aggregate.types();
        unattributedShare = aggregate.unattributedShare();
    }

    engine::Estimate runNs;
    std::vector<engine::ProfileRow> steps;
    std::vector<engine::ProfileRow> types;
    double unattributedShare;
};

std::string headText(const Arguments& arguments, const ImportedTrace& trace, const Summary& summary) {
    TextTable head({{""}, {""}});
    head.add({"trace", arguments.file});
    head.add({"recorded by", sourceName(trace.source)});
    for (const auto& [key, value] : trace.facts) head.add({shortened(key, 24), shortened(value, 100)});
    head.add({"runs", std::to_string(trace.runs.size())});
    const bool isOne = trace.runs.size() == 1;
    head.add(
        {"a run",
         engine::text(engine::format(summary.runNs, engine::Unit::nanoseconds),
                      isOne ? "  " : "  median ± half its 95 % interval, ", "as recorded, with tracing; ",
                      engine::formatShare(summary.unattributedShare), " of it lies in no step")});
    return head.text();
}

engine::Json toJson(const Arguments& arguments, const ImportedTrace& trace, const Summary& summary) {
    engine::Json json = {{"schema", 1},
                         {"trace", arguments.file},
                         {"recorded_by", sourceName(trace.source)},
                         {"runs", trace.runs.size()},
                         {"run", engine::toJson(summary.runNs, "ns")},
                         {"unattributed_share", summary.unattributedShare}};
    json["facts"] = engine::Json::object();
    for (const auto& [key, value] : trace.facts) json["facts"][key] = value;
    json["diagnostics"] = engine::Json::array();
    for (const engine::Diagnostic& each : trace.diagnostics) json["diagnostics"].push_back(each.message);
    json.update(engine::rowsJson(summary.types, summary.steps, trace.originNames));
    return json;
}

int perform(const Arguments& arguments, Terminal& terminal) {
    const ImportedTrace trace = engine::importTrace(arguments.file, terminal);
    const Summary summary(trace);
    terminal.clear();
    if (arguments.isJson) {
        std::cout << engine::dump(toJson(arguments, trace, summary)) << '\n';
        return done;
    }
    std::cout << headText(arguments, trace, summary) << '\n'
              << rowsText(summary.types, summary.steps, arguments.showsAll ? Rows::all : Rows::slowest);
    for (const engine::Diagnostic& each : trace.diagnostics)
        std::cout << "\n  warning: " << each.message << '\n';
    return done;
}

}  // namespace

Action trace(CLI::App& options) {
    const auto arguments = std::make_shared<Arguments>();
    options
        .add_option(
            "FILE", arguments->file,
            "A trace: of profile --trace, of ONNX Runtime's profiler, or in Chrome's trace event format")
        ->required();
    options.add_flag("--all", arguments->showsAll, "Show all nodes, however many");
    options.add_flag("--json", arguments->isJson, "Print JSON");
    return [arguments](Terminal& terminal) { return perform(*arguments, terminal); };
}

}  // namespace cli
