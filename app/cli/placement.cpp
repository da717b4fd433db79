#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/run_arguments.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "engine/report/json.h"

namespace cli {
namespace {

std::string providerText(const std::string& provider) { return provider.empty() ? "nobody" : provider; }

std::string nodeName(const engine::Placement& node) {
    const std::string name = node.name.empty() ? engine::text('#', node.node.index) : node.name;
    return shortened(node.graphName.empty() ? name : node.graphName + "/" + name);
}

std::string refusalsText(const engine::Placement& node) {
    std::vector<std::string> parts;
    for (const engine::Refusal& refusal : node.refusals)
        parts.push_back(refusal.provider + ": " + refusal.reason);
    return engine::join(parts, "; ");
}

void printText(const engine::PlacementReport& placement) {
    TextTable partitions({{"partition", Align::right}, {"provider"}, {"nodes", Align::right}, {"in"}});
    for (size_t i = 0; i < placement.partitions.size(); ++i) {
        const engine::PartitionInfo& partition = placement.partitions[i];
        partitions.add({std::to_string(i), partition.provider, std::to_string(partition.nodes.size()),
                        shortened(partition.graphName)});
    }
    TextTable nodes({{"node"}, {"operator"}, {"provider"}, {"partition", Align::right}, {"why not another"}});
    for (const engine::Placement& node : placement.nodes) {
        nodes.add({nodeName(node), node.operatorType, providerText(node.provider),
                   node.provider.empty() ? "" : std::to_string(node.partition), refusalsText(node)});
    }
    std::cout << partitions.text() << '\n'
              << nodes.text() << "\n  values copied between providers: " << placement.copies << '\n';
}

engine::Json toJson(const engine::Model& model, const engine::PlacementReport& placement) {
    engine::Json json = {{"schema", 1}, {"model", model.path.string()}, {"copies", placement.copies}};
    json["partitions"] = engine::Json::array();
    for (const engine::PartitionInfo& partition : placement.partitions) {
        engine::Json entry = {{"provider", partition.provider}, {"graph", partition.graphName}};
        entry["nodes"] = engine::Json::array();
        for (const engine::NodeId id : partition.nodes) entry["nodes"].push_back(id.index);
        json["partitions"].push_back(std::move(entry));
    }
    json["nodes"] = engine::Json::array();
    for (const engine::Placement& node : placement.nodes) {
        engine::Json entry = {{"node", node.node.index},
                              {"graph", node.graphName},
                              {"name", node.name},
                              {"operator", node.operatorType}};
        entry["provider"] = node.provider.empty() ? engine::Json(nullptr) : engine::Json(node.provider);
        if (!node.provider.empty()) entry["partition"] = node.partition;
        entry["refusals"] = engine::Json::array();
        for (const engine::Refusal& refusal : node.refusals) {
            entry["refusals"].push_back({{"provider", refusal.provider}, {"reason", refusal.reason}});
        }
        json["nodes"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace

Action placement(CLI::App& options) {
    struct Arguments {
        RunArguments run;
        bool isJson = false;
    };
    const auto arguments = std::make_shared<Arguments>();
    addModel(options, arguments->run);
    addEngine(options, arguments->run);
    addPasses(options, arguments->run);
    options.add_flag("--json", arguments->isJson, "Print JSON");
    return [arguments](Terminal& terminal) -> int {
        const auto model = openModel(arguments->run, terminal);
        const auto session = engine::Session::create(model, sessionOptions(arguments->run), terminal);
        terminal.clear();
        if (arguments->isJson) {
            std::cout << engine::dump(toJson(*model, session->placement())) << '\n';
        } else {
            printText(session->placement());
        }
        return done;
    };
}

}  // namespace cli
