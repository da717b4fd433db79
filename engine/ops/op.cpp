#include "engine/ops/op.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>

#include "engine/core/error.h"
#include "engine/core/name_list.h"
#include "engine/ops/documentation.h"
#include "engine/schema.h"

namespace engine {

template <>
Registry<OpDef>& Registry<OpDef>::instance() {
    static Registry registry;
    return registry;
}

template <>
Registry<OpUpgrade>& Registry<OpUpgrade>::instance() {
    static Registry registry;
    return registry;
}

template <>
Registry<OpRefusal>& Registry<OpRefusal>::instance() {
    static Registry registry;
    return registry;
}

namespace {

template <class T>
std::tuple<std::string_view, std::string_view, int> key(const T& entry) {
    return {entry.domain, entry.name, entry.sinceVersion};
}

using VersionTable = std::map<std::pair<std::string_view, std::string_view>,
                              std::map<int, std::pair<const OpDef*, const OpUpgrade*>>>;

std::shared_ptr<const VersionTable> newVersions() {
    auto result = std::make_shared<VersionTable>();
    for (const OpDef* op : Registry<OpDef>::instance().entries()) {
        (*result)[{op->domain, op->name}][op->sinceVersion].first = op;
    }
    for (const OpUpgrade* upgrade : Registry<OpUpgrade>::instance().entries()) {
        (*result)[{upgrade->domain, upgrade->name}][upgrade->sinceVersion].second = upgrade;
    }
    return result;
}

/// Made anew when a library has brought operators.
std::shared_ptr<const VersionTable> versions() {
    static std::mutex mutex;
    static std::shared_ptr<const VersionTable> table;
    static size_t definitions = 0;
    const std::lock_guard lock(mutex);
    if (const size_t now = Registry<OpDef>::instance().size(); table == nullptr || now != definitions) {
        table = newVersions();
        definitions = now;
    }
    return table;
}

std::pair<const OpDef*, const OpUpgrade*> lookUp(const std::string& domain, const std::string& name,
                                                 int version) {
    const auto table = versions();
    const auto found = table->find({canonicalDomain(domain), name});
    if (found == table->end()) return {};
    auto next = found->second.upper_bound(version);
    if (next == found->second.begin()) return {};
    return std::prev(next)->second;
}

}  // namespace

std::string_view canonicalDomain(std::string_view domain) {
    return domain == "ai.onnx" ? std::string_view() : domain;
}

bool OpDef::operator<(const OpDef& other) const { return key(*this) < key(other); }
bool OpUpgrade::operator<(const OpUpgrade& other) const { return key(*this) < key(other); }

bool OpRefusal::operator<(const OpRefusal& other) const {
    return std::pair<std::string_view, std::string_view>{domain, name} <
           std::pair<std::string_view, std::string_view>{other.domain, other.name};
}

const OpRefusal* findRefusal(const std::string& domain, const std::string& name) {
    const std::string wanted(canonicalDomain(domain));
    return Registry<OpRefusal>::instance().find({name.c_str(), wanted.c_str(), nullptr});
}

const OpDef* findOp(const std::string& domain, const std::string& name, int version) {
    return lookUp(domain, name, version).first;
}

const OpUpgrade* findUpgrade(const std::string& domain, const std::string& name, int version) {
    const auto [op, upgrade] = lookUp(domain, name, version);
    return op == nullptr ? upgrade : nullptr;
}

namespace {

std::string reasonUnknown(const std::string& domain, const std::string& name, int version) {
    const std::string_view wanted = canonicalDomain(domain);
    if (const OpRefusal* refusal = findRefusal(domain, name)) {
        return text("operator ", name, " is not run: ", refusal->reason);
    }
    std::vector<std::string> names;
    const auto table = versions();
    for (const auto& [id, forms] : *table) {
        if (id.first != wanted) continue;
        if (id.second == name) {
            return text("operator ", name, " is known from version ", forms.begin()->first,
                        " of its domain on, the model has ", version);
        }
        names.emplace_back(id.second);
    }
    if (names.empty()) {
        return text("the operator domain '", domain,
                    "' is unknown; a library of custom operators that has it can be loaded (--custom-ops)");
    }
    const std::string near = closestWord(name, names);
    const std::string where = wanted.empty() ? std::string("ai.onnx") : domain;
    return text("there is no operator ", name, " in ", where,
                near.empty() ? "" : "; did you mean " + near + "?");
}

}  // namespace

std::string whyUnknown(const std::string& domain, const std::string& name, int version) {
    // The search for a near name takes long, and a file may hold an unknown operator very often.
    constexpr size_t mostKept = 1000;
    static std::mutex mutex;
    static decltype(versions()) known;  // what the reasons were found by
    static std::map<std::tuple<std::string, std::string, int>, std::string> reasons;
    const std::lock_guard lock(mutex);
    if (reasons.size() >= mostKept || known != versions()) reasons.clear();
    known = versions();
    const auto [place, isNew] = reasons.try_emplace({domain, name, version});
    if (isNew) place->second = reasonUnknown(domain, name, version);
    return place->second;
}

void NodeRewriter::setAttribute(const std::string& name, AttributeValue value) {
    removeAttribute(name);
    node().attributes.push_back({.name = name, .value = std::move(value)});
}

void NodeRewriter::removeAttribute(const std::string& name) {
    std::erase_if(node().attributes, [&](const Attribute& attribute) { return attribute.name == name; });
}

void NodeRewriter::setInput(size_t index, Tensor constant) {
    Type type = Type::tensor(constant.type(), shapeOf(constant.dims()));
    const ValueId id = graph_.addValue({.type = std::move(type), .constant = Datum(std::move(constant))});
    if (node().inputs.size() <= index) node().inputs.resize(index + 1);
    node().inputs[index] = id;
}

void NodeRewriter::integersToInput(const std::string& attribute, size_t index) {
    const std::optional<std::vector<int64_t>> integers = attributes().maybeIntegers(attribute);
    if (!integers) return;
    setInput(index, Tensor::of<int64_t>({static_cast<int64_t>(integers->size())}, *integers));
    removeAttribute(attribute);
}

void NodeRewriter::dropOutputsFrom(size_t index) {
    if (node().outputs.size() > index) node().outputs.resize(index);
}

namespace {

void modernizeBodies(Node& node, std::vector<std::string>& problems) {
    const auto renew = [&](std::shared_ptr<const Graph>& body) {
        Modernized inner = modernize(*body);
        problems.insert(problems.end(), inner.problems.begin(), inner.problems.end());
        body = std::make_shared<const Graph>(std::move(inner.graph));
    };
    for (Attribute& attribute : node.attributes) {
        if (auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) renew(*body);
        if (auto* bodies = std::get_if<std::vector<std::shared_ptr<const Graph>>>(&attribute.value)) {
            for (auto& body : *bodies) renew(body);
        }
    }
}

void modernizeNode(Graph& graph, NodeId id) {
    while (const OpUpgrade* upgrade =
               findUpgrade(graph.node(id).domain, graph.node(id).operatorType, graph.node(id).version)) {
        const int before = graph.node(id).version;
        const std::string domain = graph.node(id).domain;
        NodeRewriter rewriter(graph, id);
        upgrade->rewrite(rewriter);
        const bool isSameOperator =
            graph.node(id).operatorType == upgrade->name && graph.node(id).domain == domain;
        if (graph.node(id).version == before && isSameOperator) {
            fail("its upgrade from version ", before, " does not raise the version");
        }
    }
}

/// What of the values has no place in an operator's parameters, or "". Omitted ones at the end need none.
std::string surplus(std::vector<ValueId>& values, const std::vector<OperatorSchema::Parameter>& parameters,
                    const char* what) {
    if (!parameters.empty() && parameters.back().isVariadic) return "";
    while (values.size() > parameters.size() && !values.back().isValid()) values.pop_back();
    if (values.size() <= parameters.size()) return "";
    return text("found ", values.size(), " ", what, ", expected ", parameters.size(), " at most");
}

/// An attribute that the operator does not have, or "". Names that begin with "__" are the files' own.
std::string unknownAttribute(const Node& node, const OperatorSchema& schema) {
    for (const Attribute& attribute : node.attributes) {
        const auto isIt = [&](const auto& known) { return known.name == attribute.name; };
        if (attribute.name.starts_with("__") || std::ranges::any_of(schema.attributes, isIt)) continue;
        std::vector<std::string> names;
        for (const OperatorSchema::AttributeInfo& known : schema.attributes) names.push_back(known.name);
        return text("found attribute '", attribute.name, "', expected ",
                    names.empty() ? "none" : "one of " + listNames(names));
    }
    return "";
}

/// Says what of the inputs, outputs and attributes has no place in the operator's schema.
void checkAgainstSchema(Node& node) {
    const std::string domain(canonicalDomain(node.domain));
    const bool isSpecified =
        newestOpset(domain) > 0 || findDocumentation(domain, node.operatorType) != nullptr;
    if (!node.problem.empty() || !isSpecified) return;
    const auto schema = operatorSchema(domain, node.operatorType, node.version);
    if (schema == nullptr || schema->outputs.empty()) return;
    node.problem = surplus(node.inputs, schema->inputs, "inputs");
    if (node.problem.empty()) node.problem = surplus(node.outputs, schema->outputs, "outputs");
    if (node.problem.empty() && !node.attributes.empty()) node.problem = unknownAttribute(node, *schema);
}

}  // namespace

Modernized modernize(const Graph& graph) {
    Modernized result{.graph = graph, .problems = {}};
    for (size_t i = 0; i < result.graph.nodes.size(); ++i) {
        const NodeId id(i);
        modernizeBodies(result.graph.node(id), result.problems);
        checkAgainstSchema(result.graph.node(id));
        const Node asFound = result.graph.node(id);
        try {
            modernizeNode(result.graph, id);
            Node& node = result.graph.node(id);
            if (node.operatorType != asFound.operatorType && node.within.empty())
                node.within = nameAndType(asFound);
        } catch (const Error& error) {
            result.graph.node(id) = asFound;
            result.problems.push_back(text(describe(graph, id), ": ", error.what()));
        }
    }
    return result;
}

}  // namespace engine
