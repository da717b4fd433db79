#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/run_arguments.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "engine/onnx/export.h"
#include "engine/passes/pass.h"
#include "engine/report/format.h"
#include "engine/report/json.h"

namespace cli {
namespace {

struct Arguments {
    RunArguments run;
    std::string outputFile = {};
    size_t stopAfter = SIZE_MAX;
    bool isList = false;
    bool isJson = false;
};

const char* phaseName(engine::Phase phase) {
    switch (phase) {
        case engine::Phase::clean:
            return "clean";
        case engine::Phase::fold:
            return "fold";
        case engine::Phase::fuse:
            return "fuse";
        default:
            return "layout";
    }
}

void list(bool isJson) {
    engine::Json passes = engine::Json::array();
    TextTable table({{"phase"}, {"pass"}, {"what it does"}});
    for (const engine::Pass* pass : engine::Registry<engine::Pass>::instance().entries()) {
        table.add({phaseName(pass->phase), pass->name, pass->summary});
        passes.push_back(
            {{"name", pass->name}, {"phase", phaseName(pass->phase)}, {"summary", pass->summary}});
    }
    if (isJson) {
        std::cout << engine::dump({{"schema", 1}, {"passes", std::move(passes)}}) << '\n';
    } else {
        std::cout << table.text();
    }
}

/// Nodes, bodies included, that only this engine runs.
size_t ownOperators(const engine::Graph& graph) {
    size_t count = 0;
    for (const engine::Node& node : graph.nodes) {
        count += node.domain == "opscope" ? 1 : 0;
        for (const auto& [name, body] : engine::subgraphs(node)) count += ownOperators(*body);
    }
    return count;
}

void printText(const engine::Session& session, const std::string& outputFile) {
    TextTable table({{"pass"}, {"edits", Align::right}, {"nodes", Align::right}, {"time", Align::right}});
    for (const engine::PassRecord& record : session.passes()) {
        table.add({record.pass, std::to_string(record.edits),
                   engine::text(record.nodesBefore, " → ", record.nodesAfter),
                   engine::format(static_cast<double>(record.elapsedNs), engine::Unit::nanoseconds)});
    }
    std::cout << table.text();
    if (table.isEmpty()) std::cout << "  no pass changes anything\n";
    std::cout << "\n  nodes: " << session.model().graph->nodes.size() << " in the file, "
              << session.graph()->graph->nodes.size() << " now\n";
    if (outputFile.empty()) return;
    std::cout << "  written: " << outputFile << '\n';
    const size_t own = ownOperators(*session.graph()->graph);
    if (own > 0) {
        std::cout << "  " << own
                  << " nodes are fused ones of the domain opscope, which other runtimes do not know; "
                  << "--without leaves passes out\n";
    }
}

engine::Json toJson(const engine::Session& session, const std::string& outputFile) {
    engine::Json json = {{"schema", 1},
                         {"model", session.model().path.string()},
                         {"nodes_before", session.model().graph->nodes.size()},
                         {"nodes_after", session.graph()->graph->nodes.size()}};
    json["passes"] = engine::Json::array();
    for (const engine::PassRecord& record : session.passes()) {
        json["passes"].push_back({{"name", record.pass},
                                  {"edits", record.edits},
                                  {"nodes_before", record.nodesBefore},
                                  {"nodes_after", record.nodesAfter},
                                  {"elapsed_ns", record.elapsedNs}});
    }
    if (!outputFile.empty()) json["file"] = outputFile;
    json["own_operators"] = ownOperators(*session.graph()->graph);
    return json;
}

int perform(const Arguments& arguments, Terminal& terminal) {
    if (arguments.isList) {
        list(arguments.isJson);
        return done;
    }
    engine::SessionOptions sessionOptions = cli::sessionOptions(arguments.run);
    sessionOptions.providers = {"reference"};
    sessionOptions.passes.stopAfter = arguments.stopAfter;
    const auto model = openModel(arguments.run, terminal);
    const auto session = engine::Session::create(model, sessionOptions, terminal);
    if (!arguments.outputFile.empty()) {
        model->checkRunnable();
        engine::onnx::exportModel(*session->graph()->graph, *model, arguments.outputFile, {}, terminal);
    }
    terminal.clear();
    if (arguments.isJson) {
        std::cout << engine::dump(toJson(*session, arguments.outputFile)) << '\n';
    } else {
        printText(*session, arguments.outputFile);
    }
    return done;
}

}  // namespace

Action optimize(CLI::App& options) {
    const auto arguments = std::make_shared<Arguments>();
    CLI::Option* list = options.add_flag("--list", arguments->isList, "List the passes; needs no MODEL");
    options.add_option("MODEL", arguments->run.model, "ONNX file, or .onnxtxt in ONNX's text syntax");
    addPasses(options, arguments->run);
    options
        .add_option("--stop-after", arguments->stopAfter,
                    "Stop after so many edits, to find the one at fault")
        ->type_name("N");
    options.add_option("--out", arguments->outputFile, "File for the optimized model")
        ->type_name("FILE.onnx");
    options.add_flag("--json", arguments->isJson, "Print JSON");
    options.callback([arguments, list] {
        if (list->count() == 0 && arguments->run.model.empty()) throw CLI::RequiredError("MODEL or --list");
    });
    return [arguments](Terminal& terminal) { return perform(*arguments, terminal); };
}

}  // namespace cli
