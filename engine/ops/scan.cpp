#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/body.h"
#include "engine/ops/checks.h"
#include "engine/ops/elements.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

// Node: inputs states…, scanned…; outputs states…, scans…. Body: the same without the scanned axes. In its
// first form (opset 8) the node also has a batch: input 0 the length of each sequence, axis 0 of all others
// the batch, axis 1 the scanned one.
struct Attributes {
    Body body = {};
    size_t states = 0;
    size_t scanned = 0;
    size_t scans = 0;
    bool hasBatch = false;
    std::vector<int64_t> inputAxes = {};
    std::vector<int64_t> outputAxes = {};
    std::vector<int64_t> inputDirections = {};  // 1: backwards
    std::vector<int64_t> outputDirections = {};

    size_t firstInput() const { return hasBatch ? 1 : 0; }
};

std::vector<int64_t> readList(const AttributeReader& reader, const char* name, size_t count) {
    std::vector<int64_t> list = reader.integers(name);
    if (list.empty()) list.assign(count, 0);
    if (list.size() != count) fail(name, " has ", list.size(), " values, expected ", count);
    return list;
}

Attributes parse(const AttributeReader& reader) {
    const int64_t scanned = reader.integer("num_scan_inputs");
    Attributes attributes{.body = readBody(reader, "body"), .hasBatch = reader.node().version < 9};
    const Graph& graph = *attributes.body.graph;
    const auto bodyInputs = static_cast<int64_t>(graph.inputs.size());
    if (scanned < 1 || scanned > bodyInputs) {
        fail("num_scan_inputs: found ", scanned, ", expected 1 to the body's ", bodyInputs, " inputs");
    }
    attributes.scanned = static_cast<size_t>(scanned);
    attributes.states = graph.inputs.size() - attributes.scanned;
    if (graph.outputs.size() < attributes.states) {
        fail("its body has ", graph.outputs.size(), " outputs, expected at least ", attributes.states);
    }
    attributes.scans = graph.outputs.size() - attributes.states;
    if (reader.node().inputs.size() != attributes.firstInput() + graph.inputs.size()) {
        fail("found ", reader.node().inputs.size(), " inputs, expected ",
             attributes.firstInput() + graph.inputs.size(), " for its body");
    }
    const bool hasBatch = attributes.hasBatch;
    attributes.inputAxes = readList(reader, "scan_input_axes", attributes.scanned);
    attributes.outputAxes = readList(reader, "scan_output_axes", attributes.scans);
    attributes.inputDirections =
        readList(reader, hasBatch ? "directions" : "scan_input_directions", attributes.scanned);
    attributes.outputDirections = readList(reader, "scan_output_directions", attributes.scans);
    return attributes;
}

// The type without axis `axis`; its size goes to `size`.
Type without(const Type& type, int64_t axis, Dim& size, const char* what) {
    Type result = type;
    if (!result.shape) return result;
    const int64_t at = normalizedAxis(axis, static_cast<int64_t>(result.shape->size()));
    size = agreed(size, (*result.shape)[static_cast<size_t>(at)], what);
    result.shape->erase(result.shape->begin() + at);
    return result;
}

Type with(const Type& type, int64_t axis, const Dim& size) {
    Type result = type;
    if (!result.shape) return result;
    const int64_t at = normalizedAxis(axis, static_cast<int64_t>(result.shape->size()) + 1);
    result.shape->insert(result.shape->begin() + at, size);
    return result;
}

// A state keeps its shape from turn to turn: so the specification wants it.
void checkKept(const Type& before, const Type& after, size_t state) {
    if (!before.shape || !after.shape) return;
    const bool isKept = before.shape->size() == after.shape->size() &&
                        std::equal(before.shape->begin(), before.shape->end(), after.shape->begin(),
                                   [](const Dim& a, const Dim& b) { return !(surelyEqual(a, b) == Dim(0)); });
    if (isKept) return;
    fail("state ", state, ": found shape ", shapeText(*after.shape), " after a turn, expected ",
         shapeText(*before.shape), " as before it");
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    Dim length;
    Dim batch;
    std::vector<Type> inputs;
    for (size_t i = 0; i < attributes.states + attributes.scanned; ++i) {
        Type type = context.inputType(attributes.firstInput() + i);
        if (attributes.hasBatch) type = without(type, 0, batch, "batch sizes");
        if (i >= attributes.states) {
            type = without(type, attributes.inputAxes[i - attributes.states], length,
                           "lengths of scanned inputs");
        }
        inputs.push_back(std::move(type));
    }
    const std::vector<Type> outputs = context.inferBody(*attributes.body.graph, inputs);
    for (size_t i = 0; i < attributes.states; ++i) checkKept(inputs[i], outputs[i], i);
    for (size_t i = 0; i < attributes.states + attributes.scans; ++i) {
        Type type = i < attributes.states
                        ? inputs[i]
                        : with(outputs[i], attributes.outputAxes[i - attributes.states], length);
        if (attributes.hasBatch) type = with(type, 0, batch);
        context.setOutput(i, std::move(type));
    }
}

// Scans one sequence of `length` elements. `data` holds the states and the scanned inputs; returns the final
// states and the stacked scans.
std::vector<Datum> scanOne(const KernelContext& context, const Attributes& attributes,
                           std::vector<Datum> data, int64_t length) {
    std::vector<std::vector<Tensor>> scans(attributes.scans);
    std::vector<Datum> states(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(attributes.states));
    for (int64_t turn = 0; turn < length; ++turn) {
        context.checkpoint();
        std::vector<Datum> inputs = states;
        for (size_t i = 0; i < attributes.scanned; ++i) {
            const Tensor& tensor = data[attributes.states + i].tensor();
            const int64_t axis = normalizedAxis(attributes.inputAxes[i], tensor.rank());
            inputs.emplace_back(
                sliceAt(tensor, axis, attributes.inputDirections[i] != 0 ? length - 1 - turn : turn));
        }
        const std::vector<Datum> outputs = context.runBody(attributes.body.index, std::move(inputs));
        if (outputs.size() != attributes.states + attributes.scans) {
            fail("turn ", turn, ": the body gave ", outputs.size(), " values, expected ",
                 attributes.states + attributes.scans);
        }
        for (size_t i = 0; i < attributes.states; ++i) {
            const Dims& before = states[i].tensor().dims();
            const Dims& after = outputs[i].tensor().dims();
            if (before == after) continue;
            fail("turn ", turn, ": state ", i, " has shape ", listText(after), ", expected ",
                 listText(before), " as before it");
        }
        states.assign(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(attributes.states));
        for (size_t i = 0; i < attributes.scans; ++i)
            scans[i].push_back(outputs[attributes.states + i].tensor());
    }
    for (size_t i = 0; i < attributes.scans; ++i) {
        if (attributes.outputDirections[i] != 0) std::reverse(scans[i].begin(), scans[i].end());
        const Graph& graph = *attributes.body.graph;
        const size_t output = attributes.states + i;
        if (scans[i].empty()) {
            const ValueId id = graph.outputs[output];
            const DataType element = context.outputElement(output) != DataType::undefined || !id.isValid()
                                         ? context.outputElement(output)
                                         : graph.value(id).type.element;
            states.emplace_back(
                stackOfNone(graph, output, element, std::max<int64_t>(attributes.outputAxes[i], 0)));
            continue;
        }
        const int64_t axis = normalizedAxis(attributes.outputAxes[i], scans[i].front().rank() + 1);
        states.emplace_back(stacked(scans[i], axis, text("scan output ", i)));
    }
    return states;
}

int64_t scannedLength(const Attributes& attributes, const std::vector<Datum>& data) {
    std::optional<int64_t> length;
    for (size_t i = 0; i < attributes.scanned; ++i) {
        const Tensor& tensor = data[attributes.states + i].tensor();
        const int64_t axis = normalizedAxis(attributes.inputAxes[i], tensor.rank());
        const int64_t size = tensor.dims()[static_cast<size_t>(axis)];
        if (length && *length != size) {
            fail("scanned input ", i, ": found ", size, " elements to scan, expected ", *length,
                 " as in the first");
        }
        length = size;
    }
    return length.value_or(0);
}

// The tensor with zeros at the end of `axis`, so that the axis has `size` elements.
Tensor padded(const Tensor& tensor, int64_t axis, int64_t size) {
    std::vector<Tensor> parts;
    Dims dims = tensor.dims();
    const int64_t found = dims[static_cast<size_t>(axis)];
    dims.erase(dims.begin() + axis);
    Tensor zeros = Tensor::allocate(tensor.type(), dims);
    if (tensor.type() != DataType::string)
        std::fill_n(static_cast<char*>(zeros.mutableData()), zeros.bytes(), char{0});
    for (int64_t i = 0; i < size; ++i) parts.push_back(i < found ? sliceAt(tensor, axis, i) : zeros);
    return stacked(parts, axis, "a scan output");
}

std::vector<Datum> scanBatch(const KernelContext& context, const Attributes& attributes,
                             const std::vector<Datum>& data) {
    const int64_t batch = data.front().tensor().rank() > 0 ? data.front().tensor().dims()[0] : 0;
    for (const Datum& datum : data) {
        if (datum.tensor().rank() < 1 || datum.tensor().dims()[0] != batch) {
            fail("found an input of shape ", listText(datum.tensor().dims()), ", expected a batch of ",
                 batch);
        }
    }
    if (batch == 0) fail("found an empty batch, expected at least one sequence");
    std::vector<int64_t> lengths;
    if (context.hasInput(0)) {
        checkDims(context.input(0), {batch}, "sequence_lens");
        lengths = context.input(0).toInt64();
    }
    std::vector<std::vector<Tensor>> results(attributes.states + attributes.scans);
    for (int64_t n = 0; n < batch; ++n) {
        std::vector<Datum> one;
        for (const Datum& datum : data) one.emplace_back(sliceAt(datum.tensor(), 0, n));
        const int64_t longest = scannedLength(attributes, one);
        const int64_t length = lengths.empty() ? longest : lengths[static_cast<size_t>(n)];
        if (length < 0 || length > longest)
            fail("sequence_lens: found ", length, ", expected 0 to ", longest);
        const std::vector<Datum> outputs = scanOne(context, attributes, std::move(one), length);
        for (size_t i = 0; i < outputs.size(); ++i) {
            const Tensor& tensor = outputs[i].tensor();
            results[i].push_back(i < attributes.states ? tensor : padded(tensor, 0, longest));
        }
    }
    std::vector<Datum> all;
    for (size_t i = 0; i < results.size(); ++i) all.emplace_back(stacked(results[i], 0, text("output ", i)));
    return all;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    std::vector<Datum> data;
    for (size_t i = 0; i < attributes.states + attributes.scanned; ++i) {
        data.push_back(context.input(attributes.firstInput() + i));
    }
    std::vector<Datum> results = attributes.hasBatch
                                     ? scanBatch(context, attributes, data)
                                     : scanOne(context, attributes, data, scannedLength(attributes, data));
    for (size_t i = 0; i < results.size(); ++i) context.setOutput(i, std::move(results[i]));
}

const OpDef scan{
    .name = "Scan",
    .sinceVersion = 8,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,  // the body's nodes count, as often as they run
    .reference = reference,
};
const Register<OpDef> registered{scan};

}  // namespace
}  // namespace engine
