#include <algorithm>
#include <limits>

#include "engine/core/error.h"
#include "engine/ops/body.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/type_union.h"

namespace engine {
namespace {

// Node: inputs M, cond, carried…; outputs carried…, scans…. Body: inputs turn, cond, carried…; outputs cond,
// carried…, scans….
struct Attributes {
    Body body = {};
    size_t carried = 0;
    size_t scans = 0;
    bool endsByCountOnly = false;  // the body passes the condition on, or always says true
};

// Whether the body's condition output is its condition input or the constant true.
bool passesConditionOn(const Graph& body) {
    if (body.outputs.empty() || body.inputs.size() < 2) return false;
    ValueId condition = body.outputs.front();
    const Uses uses(body);
    for (size_t steps = 0; condition.isValid() && steps <= body.nodes.size(); ++steps) {
        if (condition == body.inputs[1]) return true;
        const auto& constant = body.value(condition).constant;
        if (constant && constant->isTensor() && constant->tensor().type() == DataType::boolean) {
            const auto values = constant->tensor().values<bool>();
            return values.size() == 1 && values[0];
        }
        const NodeId producer = uses.producer[condition.index];
        if (!producer.isValid()) return false;
        const Node& node = body.node(producer);
        if (node.operatorType != "Identity" || node.inputs.empty()) return false;
        condition = node.inputs.front();
    }
    return false;
}

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{.body = readBody(reader, "body")};
    const Graph& graph = *attributes.body.graph;
    if (graph.inputs.size() < 2 || graph.outputs.size() + 1 < graph.inputs.size()) {
        fail("its body has ", graph.inputs.size(), " inputs and ", graph.outputs.size(),
             " outputs, expected at least 2 inputs and an output for each but the first");
    }
    attributes.carried = graph.inputs.size() - 2;
    attributes.scans = graph.outputs.size() - 1 - attributes.carried;
    attributes.endsByCountOnly = passesConditionOn(graph);
    const size_t carriedByNode = std::max<size_t>(reader.node().inputs.size(), 2) - 2;
    if (carriedByNode != attributes.carried) {
        fail("found ", carriedByNode, " carried values, expected ", attributes.carried, " as the body has");
    }
    return attributes;
}

// How many turns there will be, as far as it can be said.
Dim turns(const InferContext& context, const Attributes& attributes) {
    if (!context.hasInput(0) || !attributes.endsByCountOnly) return {};
    if (context.hasInput(1)) {
        const Tensor* condition = context.inputData(1);
        if (condition == nullptr) return {};
        if (!onlyElement<bool>(*condition, "cond")) return 0;
    }
    const auto count = context.inputElements(0);
    return count && count->size() == 1 ? maximum(count->front(), 0) : Dim();
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    std::vector<Type> inputs{Type::tensor(DataType::int64, Shape{}),
                             Type::tensor(DataType::boolean, Shape{})};
    for (size_t i = 0; i < attributes.carried; ++i) {
        inputs.push_back(context.hasInput(i + 2) ? context.inputType(i + 2) : Type{});
    }
    const std::vector<Type> outputs =
        inferRepeated(context, *attributes.body.graph,
                      {.firstInput = 2, .firstOutput = 1, .count = attributes.carried}, inputs);
    for (size_t i = 0; i < attributes.carried; ++i) {
        context.setOutput(i, inputs[i + 2]);
    }
    const Dim count = attributes.scans > 0 ? turns(context, attributes) : Dim();
    for (size_t i = attributes.carried; i < attributes.carried + attributes.scans; ++i) {
        Type scan = outputs[i + 1];
        if (scan.shape) scan.shape->insert(scan.shape->begin(), count);
        context.setOutput(i, std::move(scan));
    }
}

DataType scanElement(const KernelContext& context, const Graph& body, size_t output) {
    const DataType inferred = context.outputElement(output);
    const ValueId id = body.outputs[output + 1];
    return inferred != DataType::undefined || !id.isValid() ? inferred : body.value(id).type.element;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Graph& graph = *attributes.body.graph;
    const int64_t most = context.hasInput(0) ? onlyElement<int64_t>(context.input(0), "M")
                                             : std::numeric_limits<int64_t>::max();
    bool goesOn = !context.hasInput(1) || onlyElement<bool>(context.input(1), "cond");
    std::vector<Datum> carried;
    for (size_t i = 0; i < attributes.carried; ++i) carried.push_back(context.inputDatum(i + 2));
    std::vector<std::vector<Tensor>> scans(attributes.scans);

    for (int64_t turn = 0; turn < most && goesOn; ++turn) {
        context.checkpoint();
        std::vector<Datum> inputs{Tensor::scalar<int64_t>(turn), Tensor::scalar<bool>(true)};
        std::move(carried.begin(), carried.end(), std::back_inserter(inputs));
        std::vector<Datum> outputs = context.runBody(attributes.body.index, std::move(inputs));
        if (outputs.size() != 1 + attributes.carried + attributes.scans) {
            fail("turn ", turn, ": the body gave ", outputs.size(), " values, expected ",
                 1 + attributes.carried + attributes.scans);
        }
        if (!outputs[0].isEmpty()) goesOn = onlyElement<bool>(outputs[0].tensor(), "the body's condition");
        const auto firstScan = outputs.begin() + 1 + static_cast<std::ptrdiff_t>(attributes.carried);
        carried.assign(std::make_move_iterator(outputs.begin() + 1), std::make_move_iterator(firstScan));
        for (size_t i = 0; i < scans.size(); ++i)
            scans[i].push_back(firstScan[static_cast<std::ptrdiff_t>(i)].tensor());
    }

    for (size_t i = 0; i < carried.size(); ++i) context.setOutput(i, std::move(carried[i]));
    for (size_t i = 0; i < scans.size(); ++i) {
        const size_t output = attributes.carried + i;
        if (!context.hasOutput(output)) continue;
        context.setOutput(output, scans[i].empty()
                                      ? stackOfNone(graph, output + 1, scanElement(context, graph, output), 0)
                                      : stacked(scans[i], 0, text("scan output ", i)));
    }
}

const OpDef loop{
    .name = "Loop",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,  // the body's nodes count, as often as they run
    .reference = reference,
};
const Register<OpDef> registered{loop};

}  // namespace
}  // namespace engine
