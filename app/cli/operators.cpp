#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "engine/core/error.h"
#include "engine/ops/custom_ops.h"
#include "engine/providers/provider.h"
#include "engine/report/json.h"
#include "engine/schema.h"

namespace cli {
namespace {

/// One operator, in all its forms.
struct Entry {
    std::string domain;
    std::string name;
    std::vector<engine::OperatorForm> forms = {};  ///< oldest first
    std::vector<std::string> providers = {};       ///< that have code for it
    std::string library = {};                      ///< that brought it
};

std::string fullName(const Entry& entry) {
    return entry.domain.empty() ? entry.name : entry.domain + "." + entry.name;
}

std::vector<Entry> allOperators() {
    std::vector<Entry> entries;
    for (engine::OperatorForm& form : engine::operatorForms()) {
        if (entries.empty() || entries.back().domain != form.domain || entries.back().name != form.name) {
            entries.push_back({form.domain, form.name});
        }
        entries.back().forms.push_back(std::move(form));
    }
    for (Entry& entry : entries) {
        const engine::OpDef* op = engine::findOp(entry.domain, entry.name, entry.forms.back().sinceVersion);
        if (op != nullptr && op->custom != nullptr) entry.library = op->custom->library;
        for (const std::string& provider : engine::providerNames()) {
            if (engine::provider(provider).hasKernel(entry.domain, entry.name)) {
                entry.providers.push_back(provider);
            }
        }
    }
    return entries;
}

const char* runsWord(engine::FormRuns runs) {
    switch (runs) {
        case engine::FormRuns::kernel:
            return "kernel";
        case engine::FormRuns::rewritten:
            return "rewritten";
        case engine::FormRuns::function:
            return "function";
        case engine::FormRuns::removed:
            return "removed";
        case engine::FormRuns::never:
            break;
    }
    return "not";
}

std::string versionsText(const Entry& entry) {
    std::vector<std::string> parts;
    for (const engine::OperatorForm& form : entry.forms) parts.push_back(std::to_string(form.sinceVersion));
    return engine::join(parts, ", ");
}

/// How the newest form that there is runs.
std::string runsText(const Entry& entry) {
    const engine::OperatorForm* newest = &entry.forms.front();
    for (const engine::OperatorForm& form : entry.forms) {
        if (form.runs != engine::FormRuns::removed) newest = &form;
    }
    switch (newest->runs) {
        case engine::FormRuns::kernel:
            return "code in " + engine::join(entry.providers, ", ") +
                   (entry.library.empty() ? "" : ", from " + entry.library);
        case engine::FormRuns::rewritten:
            return "brought to another operator";
        case engine::FormRuns::function:
            return "by its function body";
        default:
            return newest->reason.empty() ? "not run" : "not run: " + newest->reason;
    }
}

engine::Json toJson(const Entry& entry) {
    engine::Json json = {{"name", entry.name}, {"domain", entry.domain}, {"providers", entry.providers}};
    if (!entry.library.empty()) json["library"] = entry.library;
    json["versions"] = engine::Json::array();
    json["forms"] = engine::Json::array();
    for (const engine::OperatorForm& form : entry.forms) {
        json["versions"].push_back(form.sinceVersion);
        engine::Json one = {{"since_version", form.sinceVersion}, {"runs", runsWord(form.runs)}};
        if (!form.reason.empty()) one["reason"] = form.reason;
        json["forms"].push_back(std::move(one));
    }
    return json;
}

void printParameters(const char* title, const std::vector<engine::OperatorSchema::Parameter>& parameters) {
    TextTable table({{title}, {"type"}, {""}});
    for (const auto& each : parameters) {
        table.add({each.name, each.type, each.isVariadic ? "any number" : each.isOptional ? "optional" : ""});
    }
    if (!table.isEmpty()) std::cout << '\n' << table.text();
}

void printSchema(const engine::OperatorSchema& schema) {
    printParameters("input", schema.inputs);
    printParameters("output", schema.outputs);
    TextTable attributes({{"attribute"}, {"kind"}, {"default"}});
    for (const auto& each : schema.attributes) {
        attributes.add({each.name, each.kind, each.isRequired ? "required" : each.defaultText});
    }
    if (!attributes.isEmpty()) std::cout << '\n' << attributes.text();
    TextTable types({{"types"}, {""}});
    for (const auto& [name, list] : schema.typeConstraints) types.add({name, list});
    if (!types.isEmpty()) std::cout << '\n' << types.text();
    if (!schema.documentation.empty()) std::cout << '\n' << schema.documentation << '\n';
}

engine::Json parametersJson(const std::vector<engine::OperatorSchema::Parameter>& parameters) {
    engine::Json json = engine::Json::array();
    for (const auto& each : parameters) {
        json.push_back({{"name", each.name},
                        {"type", each.type},
                        {"documentation", each.documentation},
                        {"is_optional", each.isOptional},
                        {"is_variadic", each.isVariadic}});
    }
    return json;
}

engine::Json schemaJson(const engine::OperatorSchema& schema) {
    engine::Json json = {{"since_version", schema.sinceVersion},
                         {"is_deprecated", schema.isDeprecated},
                         {"inputs", parametersJson(schema.inputs)},
                         {"outputs", parametersJson(schema.outputs)}};
    json["attributes"] = engine::Json::array();
    for (const auto& each : schema.attributes) {
        json["attributes"].push_back({{"name", each.name},
                                      {"kind", each.kind},
                                      {"documentation", each.documentation},
                                      {"default", each.defaultText},
                                      {"is_required", each.isRequired}});
    }
    json["types"] = engine::Json::object();
    for (const auto& [name, list] : schema.typeConstraints) json["types"][name] = list;
    json["documentation"] = schema.documentation;
    return json;
}

const Entry& find(const std::vector<Entry>& entries, const std::string& name) {
    std::vector<std::string> names;
    for (const Entry& entry : entries) {
        if (fullName(entry) == name) return entry;
        names.push_back(fullName(entry));
    }
    const std::string near = engine::closestWord(name, names);
    engine::fail("there is no operator '", name, "'", near.empty() ? "" : "; did you mean '" + near + "'?");
}

void showAll(const std::vector<Entry>& entries, bool isJson) {
    engine::Json list = engine::Json::array();
    TextTable table({{"operator"}, {"forms since opset"}, {"runs"}});
    for (const Entry& entry : entries) {
        list.push_back(toJson(entry));
        table.add({fullName(entry), versionsText(entry), runsText(entry)});
    }
    if (isJson) {
        std::cout << engine::dump({{"schema", 1}, {"operators", std::move(list)}}) << '\n';
    } else {
        std::cout << table.text() << "\n  " << entries.size() << " operators\n";
    }
}

void showOne(const Entry& entry, bool isJson) {
    const auto schema = engine::operatorSchema(entry.domain, entry.name, entry.forms.back().sinceVersion);
    if (isJson) {
        engine::Json json = {{"schema", 1}};
        json.update(toJson(entry));
        json["definition"] = schema != nullptr ? schemaJson(*schema) : engine::Json(nullptr);
        std::cout << engine::dump(json) << '\n';
        return;
    }
    std::cout << "  " << fullName(entry) << ", forms since opset " << versionsText(entry) << "; "
              << runsText(entry) << '\n';
    if (schema != nullptr) printSchema(*schema);
}

}  // namespace

Action operators(CLI::App& options) {
    struct Arguments {
        std::string name = {};
        bool isJson = false;
    };
    const auto arguments = std::make_shared<Arguments>();
    options.add_option("NAME", arguments->name, "An operator: Softmax, com.microsoft.Gelu");
    options.add_flag("--json", arguments->isJson, "Print JSON");
    return [arguments](Terminal&) {
        const std::vector<Entry> entries = allOperators();
        if (arguments->name.empty()) {
            showAll(entries, arguments->isJson);
        } else {
            showOne(find(entries, arguments->name), arguments->isJson);
        }
        return done;
    };
}

}  // namespace cli
