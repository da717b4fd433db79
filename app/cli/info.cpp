#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/run_arguments.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "engine/report/format.h"
#include "engine/report/json.h"

namespace cli {
namespace {

constexpr size_t mostTypeCharacters = 200;

struct Facts {
    std::shared_ptr<const engine::Model> model;
    std::shared_ptr<const engine::TypedGraph> types;
    engine::ModelSummary summary;
    engine::Bindings bindings;
    std::vector<engine::Diagnostic> diagnostics;
    bool showsValues = false;
};

const char* severityName(engine::Diagnostic::Severity severity) {
    switch (severity) {
        case engine::Diagnostic::Severity::error:
            return "error";
        case engine::Diagnostic::Severity::warning:
            return "warning";
        default:
            return "note";
    }
}

Facts gather(const RunArguments& arguments, engine::Observer& observer) {
    Facts facts;
    facts.model = openModel(arguments, observer);
    facts.bindings = bindings(arguments);
    // Refuses symbols that the model does not have.
    checkBindings(*facts.model, facts.bindings);
    facts.types = facts.bindings.empty() ? facts.model->typed : facts.model->bound(facts.bindings);
    facts.summary = engine::summarize(*facts.model, facts.bindings);
    facts.diagnostics = facts.model->diagnostics;
    std::set<std::pair<std::string, std::string>> known;
    for (const engine::Diagnostic& found : facts.diagnostics) known.emplace(found.message, found.place);
    for (const engine::Diagnostic& found : facts.types->diagnostics) {
        if (known.emplace(found.message, found.place).second) facts.diagnostics.push_back(found);
    }
    return facts;
}

std::string domainName(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

std::string opsetsText(const engine::Model& model) {
    std::vector<std::string> parts;
    for (const engine::OpsetImport& opset : model.opsets) {
        parts.push_back(domainName(opset.domain) + " " + std::to_string(opset.version));
    }
    return shortened(engine::join(parts, ", "), mostTypeCharacters);
}

/// What the nodes of the main graph make, in their order.
std::vector<engine::ValueId> made(const engine::Graph& graph) {
    std::vector<engine::ValueId> ids;
    for (const engine::Node& node : graph.nodes) {
        std::copy_if(node.outputs.begin(), node.outputs.end(), std::back_inserter(ids),
                     [](engine::ValueId id) { return id.isValid(); });
    }
    return ids;
}

std::string valuesText(const Facts& facts, const char* title, const std::vector<engine::ValueId>& ids) {
    TextTable table({{title}, {"type"}});
    table.addEach(ids, [&](engine::ValueId id) -> std::vector<std::string> {
        return {shortened(facts.model->graph->value(id).name),
                shortened(engine::typeText(facts.types->types[id.index]), mostTypeCharacters)};
    });
    return table.isEmpty() ? "" : table.text() + '\n';
}

std::string operatorsText(const Facts& facts) {
    TextTable table({{"operator"}, {"nodes", Align::right}});
    const auto& operators = facts.summary.operators;
    table.addEach(operators, [](const auto& each) -> std::vector<std::string> {
        return {shortened(each.first), std::to_string(each.second)};
    });
    table.add({"all", std::to_string(facts.summary.nodes)});
    return table.text() + '\n';
}

std::string dimText(const engine::Dim& dim, engine::Unit unit) {
    if (!dim.isNumber()) return shortened(dim.text(), mostTypeCharacters);
    return engine::text(engine::format(static_cast<double>(dim.number()), unit), " (", dim.number(), ")");
}

std::string workText(const Facts& facts) {
    const engine::ModelSummary& summary = facts.summary;
    TextTable table({{""}, {""}});
    table.add(
        {"parameters",
         engine::text(engine::format(static_cast<double>(summary.parameters), engine::Unit::count), " in ",
                      engine::format(static_cast<double>(summary.parameterBytes), engine::Unit::bytes))});
    table.add({"multiply-adds", dimText(summary.multiplyAdds, engine::Unit::count)});
    table.add({"FLOPs", dimText(summary.flops, engine::Unit::count)});
    if (summary.nodesOfUnknownWork > 0) {
        table.add(
            {"", engine::text("without ", summary.nodesOfUnknownWork, " nodes whose work is not known")});
    }
    return table.text();
}

/// What is said of several nodes alike takes one line, which names the first of them. Faults of bytes each
/// take their own.
void printDiagnostics(const std::vector<engine::Diagnostic>& diagnostics) {
    std::map<std::string_view, size_t> left;  // places of a message, until it is printed
    for (const engine::Diagnostic& diagnostic : diagnostics)
        left[diagnostic.message] += diagnostic.byteOffset ? 0 : 1;
    for (const engine::Diagnostic& diagnostic : diagnostics) {
        const bool isOne = diagnostic.byteOffset || diagnostic.place.empty();
        const size_t places = isOne ? 1 : std::exchange(left[diagnostic.message], 0);
        if (places == 0) continue;
        std::cout << "  " << severityName(diagnostic.severity) << ": ";
        if (!diagnostic.place.empty()) std::cout << messageText(diagnostic.place);
        if (places > 1) std::cout << " and " << places - 1 << " more";
        if (!diagnostic.place.empty()) std::cout << ": ";
        std::cout << messageText(diagnostic.message);
        if (diagnostic.byteOffset) std::cout << " (byte " << *diagnostic.byteOffset << ")";
        std::cout << '\n';
    }
}

void printText(const Facts& facts) {
    const engine::Model& model = *facts.model;
    TextTable head({{""}, {""}});
    head.add(
        {"file", engine::text(model.path.string(), ", ",
                              engine::format(static_cast<double>(model.fileBytes), engine::Unit::bytes))});
    std::string producer = model.producerName;
    if (!model.producerVersion.empty()) producer += " " + model.producerVersion;
    if (!producer.empty()) head.add({"producer", producer});
    head.add({"opsets", engine::text(opsetsText(model), "; IR version ", model.irVersion)});
    if (!model.graph->name.empty()) head.add({"graph", shortened(model.graph->name)});
    if (!model.functions.empty()) head.add({"functions", std::to_string(model.functions.size())});
    std::cout << head.text() << '\n'
              << valuesText(facts, "input", model.graph->inputs)
              << valuesText(facts, "output", model.graph->outputs);
    std::cout << operatorsText(facts);
    if (facts.showsValues) std::cout << valuesText(facts, "value", made(*model.graph));
    std::cout << workText(facts);
    if (!facts.diagnostics.empty()) std::cout << '\n';
    printDiagnostics(facts.diagnostics);
}

engine::Json dimsJson(const engine::Type& type) {
    if (!type.isTensor() || !type.shape) return nullptr;
    engine::Json dims = engine::Json::array();
    for (const engine::Dim& dim : *type.shape) {
        if (dim.isNumber()) {
            dims.push_back(dim.number());
        } else {
            dims.push_back(dim.text());
        }
    }
    return dims;
}

engine::Json valuesJson(const Facts& facts, const std::vector<engine::ValueId>& ids) {
    engine::Json values = engine::Json::array();
    for (const engine::ValueId id : ids) {
        const engine::Type& type = facts.types->types[id.index];
        values.push_back({{"name", facts.model->graph->value(id).name},
                          {"type", engine::typeText(type)},
                          {"element", std::string(engine::name(type.element))},
                          {"dims", dimsJson(type)}});
    }
    return values;
}

engine::Json dimJson(const engine::Dim& dim) {
    if (dim.isNumber()) return dim.number();
    return dim.isUnknown() ? engine::Json(nullptr) : engine::Json(dim.text());
}

engine::Json diagnosticsJson(const std::vector<engine::Diagnostic>& diagnostics) {
    engine::Json result = engine::Json::array();
    for (const engine::Diagnostic& diagnostic : diagnostics) {
        engine::Json entry = {{"severity", severityName(diagnostic.severity)},
                              {"place", diagnostic.place},
                              {"message", diagnostic.message}};
        if (diagnostic.byteOffset) entry["byte_offset"] = *diagnostic.byteOffset;
        result.push_back(std::move(entry));
    }
    return result;
}

engine::Json toJson(const Facts& facts) {
    const engine::Model& model = *facts.model;
    engine::Json json = {{"schema", 1},
                         {"file", model.path.string()},
                         {"file_bytes", model.fileBytes},
                         {"ir_version", model.irVersion},
                         {"producer", model.producerName},
                         {"producer_version", model.producerVersion},
                         {"domain", model.domain},
                         {"model_version", model.modelVersion},
                         {"documentation", model.documentation},
                         {"graph", model.graph->name}};
    json["metadata"] = engine::Json::object();
    for (const auto& [key, value] : model.metadata) json["metadata"][key] = value;
    json["opsets"] = engine::Json::object();
    for (const auto& opset : model.opsets) json["opsets"][domainName(opset.domain)] = opset.version;
    json["functions"] = engine::Json::array();
    for (const auto& function : model.functions)
        json["functions"].push_back(function.domain + "." + function.name);
    json["symbols"] = model.symbols();
    json["bindings"] = facts.bindings.empty() ? engine::Json::object() : engine::Json(facts.bindings);
    json["inputs"] = valuesJson(facts, model.graph->inputs);
    json["outputs"] = valuesJson(facts, model.graph->outputs);
    if (facts.showsValues) json["values"] = valuesJson(facts, made(*model.graph));
    json["nodes"] = facts.summary.nodes;
    json["operators"] = engine::Json::object();
    for (const auto& [name, count] : facts.summary.operators) json["operators"][name] = count;
    json["parameters"] = facts.summary.parameters;
    json["parameter_bytes"] = facts.summary.parameterBytes;
    json["multiply_adds"] = dimJson(facts.summary.multiplyAdds);
    json["flops"] = dimJson(facts.summary.flops);
    json["nodes_of_unknown_work"] = facts.summary.nodesOfUnknownWork;
    json["diagnostics"] = diagnosticsJson(facts.diagnostics);
    return json;
}

}  // namespace

Action info(CLI::App& options) {
    struct Arguments {
        RunArguments run;
        bool showsValues = false;
        bool isJson = false;
    };
    const auto arguments = std::make_shared<Arguments>();
    addModel(options, arguments->run);
    addDims(options, arguments->run);
    options.add_flag("--values", arguments->showsValues, "Also the type of every value that a node makes");
    options.add_flag("--json", arguments->isJson, "Print JSON");
    return [arguments](Terminal& terminal) {
        Facts facts = gather(arguments->run, terminal);
        facts.showsValues = arguments->showsValues;
        terminal.clear();
        if (arguments->isJson) {
            std::cout << engine::dump(toJson(facts)) << '\n';
        } else {
            printText(facts);
        }
        return done;
    };
}

}  // namespace cli
