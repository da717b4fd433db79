#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/divide.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/offsets.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// Inputs: data, indices, scales (one for each block along the quantized axis), zero points. Data of bytes may
// hold several numbers of `bits` bits each, along their last axis.
struct Attributes {
    int64_t gatherAxis = 0;
    int64_t quantizeAxis = 1;
    int64_t blockSize = 128;
    int64_t bits = 4;
};

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{.gatherAxis = reader.integer("gather_axis", 0),
                                .quantizeAxis = reader.integer("quantize_axis", 1),
                                .blockSize = reader.integer("block_size", 128),
                                .bits = reader.integer("bits", 4)};
    const bool hasBlock = attributes.blockSize == 0 || attributes.blockSize >= 16;
    if (!hasBlock || (attributes.bits != 2 && attributes.bits != 4 && attributes.bits != 8)) {
        fail("found block_size ", attributes.blockSize, " and bits ", attributes.bits,
             ", expected at least 16 (or 0 for one block), and 2, 4 or 8");
    }
    return attributes;
}

/// How many numbers a byte of the data holds.
int64_t numbersPerElement(const Attributes& attributes, DataType type) {
    return type == DataType::uint8 ? 8 / attributes.bits : 1;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Shape* data = context.inputShape(0);
    const Shape* indices = context.inputShape(1);
    const DataType element = context.inputElement(2);
    if (data == nullptr || indices == nullptr) return context.setOutput(0, element);
    if (data->empty()) fail("data: found rank 0, expected at least 1");
    Shape numbers = *data;
    numbers.back() = numbers.back() * Dim(numbersPerElement(attributes, context.inputElement(0)));
    const int64_t axis = normalizedAxis(attributes.gatherAxis, static_cast<int64_t>(numbers.size()));
    Shape output(numbers.begin(), numbers.begin() + axis);
    output.insert(output.end(), indices->begin(), indices->end());
    output.insert(output.end(), numbers.begin() + axis + 1, numbers.end());
    context.setOutput(0, element, std::move(output));
}

/// Elements one by one, those of packed bytes from the low bits on.
std::vector<double> unpacked(const Tensor& tensor, int64_t perElement, int64_t bits) {
    if (perElement == 1) return tensor.toDouble();
    std::vector<double> numbers;
    for (const uint8_t byte : checkedValues<uint8_t>(tensor, "data")) {
        for (int64_t i = 0; i < perElement; ++i) {
            numbers.push_back((byte >> (i * bits)) & ((1 << bits) - 1));
        }
    }
    return numbers;
}

/// One for each block; those of floating-point data may stand for all along an axis.
std::vector<double> scalesOf(const Tensor& tensor, DataType data, const Dims& dims) {
    const std::vector<double> given = tensor.toDouble();
    if (tensor.dims() == dims) return given;
    if (!isFloatingPoint(data)) checkDims(tensor, dims, "scales");
    std::vector<double> scales;
    for (const int64_t place : broadcastOffsets(dims, tensor.dims(), "scales")) {
        scales.push_back(given[static_cast<size_t>(place)]);
    }
    return scales;
}

/// The data as real numbers.
std::vector<double> realNumbers(const KernelContext& context, const Dims& dims) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& data = context.input(0);
    const int64_t perElement = numbersPerElement(attributes, data.type());
    std::vector<double> numbers = unpacked(data, perElement, attributes.bits);
    const auto axis =
        static_cast<size_t>(normalizedAxis(attributes.quantizeAxis, static_cast<int64_t>(dims.size())));
    const int64_t length = dims[axis];
    const int64_t inner = elementCount(Dims(dims.begin() + static_cast<ptrdiff_t>(axis) + 1, dims.end()));
    const int64_t blockSize = attributes.blockSize > 0 ? attributes.blockSize : std::max<int64_t>(length, 1);
    const int64_t blocks = ceilDivide(length, blockSize);
    Dims scaleDims = dims;
    scaleDims[axis] = blocks;
    const std::vector<double> scales = scalesOf(context.input(2), data.type(), scaleDims);
    const double usual = data.type() == DataType::uint8 ? static_cast<double>(1 << (attributes.bits - 1)) : 0;
    std::vector<double> zeros(scales.size(), usual);
    if (context.hasInput(3)) {
        // Packed rows of zero points may end in half a byte.
        const int64_t perZero = numbersPerElement(attributes, context.input(3).type());
        Dims zeroDims = scaleDims;
        zeroDims.back() = ceilDivide(zeroDims.back(), perZero);
        checkDims(context.input(3), zeroDims, "zero_points");
        const std::vector<double> given = unpacked(context.input(3), perZero, attributes.bits);
        const auto row = static_cast<size_t>(scaleDims.back());
        const auto givenRow = static_cast<size_t>(zeroDims.back() * perZero);
        for (size_t i = 0; i < zeros.size(); ++i) zeros[i] = given[i / row * givenRow + i % row];
    }
    for (size_t i = 0; i < numbers.size(); ++i) {
        const auto index = static_cast<int64_t>(i);
        const int64_t block = index / inner % length / blockSize;
        const auto at =
            static_cast<size_t>((index / inner / length * blocks + block) * inner + index % inner);
        numbers[i] = (numbers[i] - zeros[at]) * scales[at];
    }
    return numbers;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    checkRankAtLeast(context.input(0), 1, "data");
    Dims dims = context.input(0).dims();
    dims.back() *= numbersPerElement(attributes, context.input(0).type());
    const int64_t axis = normalizedAxis(attributes.gatherAxis, static_cast<int64_t>(dims.size()));
    const std::vector<double> numbers = realNumbers(context, dims);
    std::vector<int64_t> indices = context.input(1).toInt64();
    const int64_t length = dims[static_cast<size_t>(axis)];
    // An index out of range gives zeros, which is not what Gather does.
    for (int64_t& index : indices) {
        const bool isInside = index >= -length && index < length;
        index = isInside ? index + (index < 0 ? length : 0) : -1;
    }
    Dims outputDims(dims.begin(), dims.begin() + axis);
    const int64_t outer = elementCount(outputDims);
    const Dims& indexDims = context.input(1).dims();
    outputDims.insert(outputDims.end(), indexDims.begin(), indexDims.end());
    outputDims.insert(outputDims.end(), dims.begin() + axis + 1, dims.end());
    const int64_t inner = elementCount(Dims(dims.begin() + axis + 1, dims.end()));
    Tensor& output = context.output(0, context.input(2).type(), outputDims);
    dispatchFloat(output.type(), [&]<typename T>(std::type_identity<T>) {
        auto to = output.mutableValues<T>().begin();
        Pace pace(context);
        for (int64_t block = 0; block < outer; ++block) {
            for (const int64_t index : indices) {
                pace.spend(inner);
                if (index < 0) {
                    to = std::fill_n(to, inner, T(0.0F));
                    continue;
                }
                const auto from = numbers.begin() + (block * length + index) * inner;
                to = std::transform(from, from + inner, to,
                                    [](double value) { return static_cast<T>(value); });
            }
        }
    });
}

const OpDef gatherBlockQuantized{
    .name = "GatherBlockQuantized",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{gatherBlockQuantized};

}  // namespace
}  // namespace engine
