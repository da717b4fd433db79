#include "engine/schema.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <span>
#include <tuple>

#include <onnx/defs/schema.h>

#include "engine/core/text.h"
#include "engine/onnx/proto.h"
#include "engine/ops/custom_ops.h"
#include "engine/ops/documentation.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

namespace proto = ::onnx;
using proto::OpSchema;

template <class List>
std::string listed(const List& values) {
    std::vector<std::string> parts;
    for (const auto& value : values) parts.push_back(text(value));
    return "[" + join(parts, ", ") + "]";
}

std::string kindOf(proto::AttributeProto_AttributeType kind) {
    std::string name = proto::AttributeProto_AttributeType_Name(kind);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name;
}

std::string defaultText(const proto::AttributeProto& value) {
    switch (value.type()) {
        case proto::AttributeProto_AttributeType_FLOAT:
            return text(value.f());
        case proto::AttributeProto_AttributeType_INT:
            return text(value.i());
        case proto::AttributeProto_AttributeType_STRING:
            return value.s();
        case proto::AttributeProto_AttributeType_FLOATS:
            return listed(value.floats());
        case proto::AttributeProto_AttributeType_INTS:
            return listed(value.ints());
        case proto::AttributeProto_AttributeType_STRINGS:
            return listed(value.strings());
        default:
            return "";
    }
}

OperatorSchema::Parameter parameterOf(const OpSchema::FormalParameter& parameter) {
    return {.name = parameter.GetName(),
            .type = parameter.GetTypeStr(),
            .documentation = parameter.GetDescription(),
            .isOptional = parameter.GetOption() == OpSchema::Optional,
            .isVariadic = parameter.GetOption() == OpSchema::Variadic};
}

std::shared_ptr<const OperatorSchema> convert(const OpSchema& from) {
    auto schema = std::make_shared<OperatorSchema>();
    schema->documentation = orEmpty(from.doc());
    schema->sinceVersion = from.since_version();
    schema->isDeprecated = from.deprecated();
    for (const auto& input : from.inputs()) schema->inputs.push_back(parameterOf(input));
    for (const auto& output : from.outputs()) schema->outputs.push_back(parameterOf(output));
    for (const auto& [name, attribute] : from.attributes()) {
        schema->attributes.push_back({.name = name,
                                      .kind = kindOf(attribute.type),
                                      .documentation = attribute.description,
                                      .defaultText = defaultText(attribute.default_value),
                                      .isRequired = attribute.required});
    }
    std::sort(schema->attributes.begin(), schema->attributes.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    for (const auto& constraint : from.typeConstraintParams())
        schema->typeConstraints.emplace_back(constraint.type_param_str,
                                             join(constraint.allowed_type_strs, ", "));
    return schema;
}

std::vector<OperatorSchema::Parameter> parametersOf(const OpscopeParameter* from, size_t count,
                                                    std::map<std::string, std::string>& types) {
    std::vector<OperatorSchema::Parameter> parameters;
    for (const OpscopeParameter& each : std::span(from, count)) {
        const std::string variable = orEmpty(each.typeVariable);
        const std::string allowed = elementTypesText(each.types);
        if (!variable.empty()) types[variable] = allowed;
        parameters.push_back({.name = each.name,
                              .type = variable.empty() ? allowed : variable,
                              .documentation = orEmpty(each.documentation),
                              .isOptional = each.kind == OPSCOPE_OPTIONAL,
                              .isVariadic = each.kind == OPSCOPE_VARIADIC});
    }
    return parameters;
}

OperatorSchema schemaOf(const OpscopeOperator& from) {
    OperatorSchema schema;
    std::map<std::string, std::string> types;
    schema.documentation = orEmpty(from.documentation);
    schema.inputs = parametersOf(from.inputs, from.inputCount, types);
    schema.outputs = parametersOf(from.outputs, from.outputCount, types);
    for (const OpscopeAttribute& each : std::span(from.attributes, from.attributeCount)) {
        schema.attributes.push_back({.name = each.name,
                                     .kind = each.kind,
                                     .documentation = orEmpty(each.documentation),
                                     .defaultText = orEmpty(each.defaultText),
                                     .isRequired = each.isRequired != 0});
    }
    schema.typeConstraints.assign(types.begin(), types.end());
    return schema;
}

std::vector<OperatorSchema::Parameter> parametersOf(const std::vector<OpDocumentation::Parameter>& from) {
    std::vector<OperatorSchema::Parameter> parameters;
    for (const OpDocumentation::Parameter& each : from) {
        parameters.push_back({.name = each.name,
                              .type = each.type,
                              .documentation = each.text,
                              .isOptional = each.count == OpDocumentation::Count::optional,
                              .isVariadic = each.count == OpDocumentation::Count::any});
    }
    return parameters;
}

OperatorSchema schemaOf(const OpDocumentation& from) {
    OperatorSchema schema;
    schema.documentation = from.text;
    schema.sinceVersion = 1;
    schema.inputs = parametersOf(from.inputs);
    schema.outputs = parametersOf(from.outputs);
    for (const auto* list : {&from.required, &from.attributes}) {
        for (const OpDocumentation::Attribute& each : *list) {
            schema.attributes.push_back({.name = each.name,
                                         .kind = each.kind,
                                         .documentation = each.text,
                                         .defaultText = each.fallback,
                                         .isRequired = list == &from.required});
        }
    }
    schema.typeConstraints.assign(from.types.begin(), from.types.end());
    return schema;
}

/// Operators of ONNX's specification; else what the engine knows of them.
std::shared_ptr<const OperatorSchema> lookUp(const std::string& domain, const std::string& name,
                                             int version) {
    if (const OpSchema* schema = proto::OpSchemaRegistry::Schema(name, version, domain))
        return convert(*schema);
    if (const OpDocumentation* documentation = findDocumentation(domain, name))
        return std::make_shared<const OperatorSchema>(schemaOf(*documentation));
    if (const OpDef* definition = findOp(domain, name, version)) {
        OperatorSchema schema;
        if (definition->custom != nullptr) schema = schemaOf(*definition->custom->description);
        schema.sinceVersion = definition->sinceVersion;
        return std::make_shared<const OperatorSchema>(std::move(schema));
    }
    if (const OpRefusal* refusal = findRefusal(domain, name)) {
        const OperatorSchema schema{.documentation = text("Opscope does not run it: ", refusal->reason, "."),
                                    .sinceVersion = 1};
        return std::make_shared<const OperatorSchema>(schema);
    }
    return nullptr;
}

}  // namespace

std::shared_ptr<const OperatorSchema> operatorSchema(const std::string& domain, const std::string& name,
                                                     int version) {
    static std::mutex mutex;
    static std::map<std::tuple<std::string, std::string, int>, std::shared_ptr<const OperatorSchema>> known;
    const std::lock_guard lock(mutex);
    auto& schema = known[{domain, name, version}];
    if (schema == nullptr) schema = lookUp(domain, name, version);  // a library may have brought it since
    return schema;
}

std::vector<SpecifiedOperator> specifiedOperators() {
    std::vector<SpecifiedOperator> result;
    for (const OpSchema& schema : proto::OpSchemaRegistry::get_all_schemas_with_history()) {
        result.push_back({.domain = schema.domain(),
                          .name = schema.Name(),
                          .sinceVersion = schema.since_version(),
                          .isDeprecated = schema.deprecated()});
    }
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
        return std::tie(a.domain, a.name, a.sinceVersion) < std::tie(b.domain, b.name, b.sinceVersion);
    });
    return result;
}

int newestOpset(const std::string& domain) {
    const auto& versions = proto::OpSchemaRegistry::DomainToVersionRange::Instance().LastReleaseVersionMap();
    const auto found = versions.find(domain);
    return found == versions.end() ? 0 : found->second;
}

}  // namespace engine
