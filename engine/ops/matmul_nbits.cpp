#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/divide.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

// Inputs: A [..., k]; B [n, blocks, bytes], each column's numbers of `bits` bits in blocks, low bits first;
// scales of all blocks; zero points, packed as B is or of A's type; the block of each of the k; bias [n].
struct Attributes {
    int64_t k = 0;
    int64_t n = 0;
    int64_t bits = 4;
    int64_t blockSize = 0;

    int64_t blocks() const { return ceilDivide(k, blockSize); }
    int64_t blockBytes() const { return ceilDivide(blockSize * bits, 8); }
    int64_t zeroPointBytes() const { return ceilDivide(blocks() * bits, 8); }
};

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{.k = reader.integer("K"),
                                .n = reader.integer("N"),
                                .bits = reader.integer("bits", 4),
                                .blockSize = reader.integer("block_size")};
    if (attributes.bits != 2 && attributes.bits != 4 && attributes.bits != 8) {
        fail("bits: found ", attributes.bits, ", expected 2, 4 or 8");
    }
    for (const int64_t size : {attributes.k, attributes.n, attributes.blockSize}) {
        if (size < 1 || size > (int64_t{1} << 31)) {
            fail("found K ", attributes.k, ", N ", attributes.n, " and block_size ", attributes.blockSize,
                 ", expected sizes from 1 to 2^31");
        }
    }
    return attributes;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Shape* a = context.inputShape(0);
    if (a == nullptr) return context.setOutput(0, context.inputElement(0));
    if (a->empty()) fail("A: found rank 0, expected at least 1");
    agreed(a->back(), attributes.k, "last axis of A and K");
    Shape output = *a;
    output.back() = attributes.n;
    context.setOutput(0, context.inputElement(0), std::move(output));
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.inputElements(0) * Dim(context.attributes<Attributes>().n)};
}

/// Number `index` of those packed from `bytes` on.
int unpacked(const uint8_t* bytes, int64_t index, int64_t bits) {
    const int64_t at = index * bits;
    return (bytes[at / 8] >> (at % 8)) & ((1 << bits) - 1);
}

/// The zero point of each block, column by column.
std::vector<double> zeroPoints(const KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const auto count = static_cast<size_t>(attributes.n * attributes.blocks());
    if (!context.hasInput(3)) {
        return std::vector<double>(count, static_cast<double>(1 << (attributes.bits - 1)));
    }
    const Tensor& tensor = context.input(3);
    if (tensor.type() != DataType::uint8) {
        std::vector<double> values = tensor.toDouble();
        if (values.size() != count) fail("zero_points: found ", values.size(), ", expected ", count);
        return values;
    }
    const int64_t bytes = attributes.zeroPointBytes();
    if (tensor.elements() != attributes.n * bytes) {
        fail("zero_points: found ", tensor.elements(), " bytes, expected ", attributes.n * bytes);
    }
    std::vector<double> values;
    for (size_t i = 0; i < count; ++i) {
        const auto column = static_cast<int64_t>(i) / attributes.blocks();
        values.push_back(unpacked(tensor.values<uint8_t>().data() + column * bytes,
                                  static_cast<int64_t>(i) % attributes.blocks(), attributes.bits));
    }
    return values;
}

/// B as numbers: [n, k].
std::vector<double> weights(const KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const auto bytes = checkedValues<uint8_t>(context.input(1), "B");
    const int64_t columnBytes = attributes.blocks() * attributes.blockBytes();
    if (context.input(1).elements() != attributes.n * columnBytes) {
        fail("B: found ", context.input(1).elements(), " bytes, expected ", attributes.n * columnBytes);
    }
    const std::vector<double> scales = context.input(2).toDouble();
    const std::vector<double> zeros = zeroPoints(context);
    if (scales.size() != zeros.size()) fail("scales: found ", scales.size(), ", expected ", zeros.size());
    std::vector<int64_t> groups;
    if (context.hasInput(4)) {
        groups = context.input(4).toInt64();
        if (static_cast<int64_t>(groups.size()) < attributes.k) {
            fail("g_idx: found ", groups.size(), " values, expected ", attributes.k);
        }
    }
    std::vector<double> result(static_cast<size_t>(attributes.n * attributes.k));
    for (int64_t column = 0; column < attributes.n; ++column) {
        context.checkpoint();
        for (int64_t i = 0; i < attributes.k; ++i) {
            const int64_t block = i / attributes.blockSize;
            const int64_t group = groups.empty() ? block : groups[static_cast<size_t>(i)];
            if (group < 0 || group >= attributes.blocks())
                fail("g_idx: found ", group, ", which is no block");
            const uint8_t* from = bytes.data() + column * columnBytes + block * attributes.blockBytes();
            const auto at = static_cast<size_t>(column * attributes.blocks() + group);
            const int number = unpacked(from, i % attributes.blockSize, attributes.bits);
            result[static_cast<size_t>(column * attributes.k + i)] = (number - zeros[at]) * scales[at];
        }
    }
    return result;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& a = context.input(0);
    checkRankAtLeast(a, 1, "A");
    if (a.dims().back() != attributes.k) fail("A: found shape ", listText(a.dims()), ", K is ", attributes.k);
    Dims dims = a.dims();
    dims.back() = attributes.n;
    const int64_t rows = elementCount(Dims(dims.begin(), dims.end() - 1));
    std::vector<double> sums(static_cast<size_t>(rows * attributes.n), 0);
    if (context.hasInput(5)) {
        checkDims(context.input(5), {attributes.n}, "bias");
        const std::vector<double> bias = context.input(5).toDouble();
        for (size_t i = 0; i < sums.size(); ++i) sums[i] = bias[i % bias.size()];
    }
    const std::vector<double> left = a.toDouble();
    const std::vector<double> right = weights(context);
    Pace pace(context);
    addProduct(left.data(), {rows, attributes.k, attributes.k, 1}, right.data(),
               {attributes.k, attributes.n, 1, attributes.k}, sums.data(), pace);
    Tensor& output = context.output(0, a.type(), dims);
    dispatchFloat(a.type(), [&]<typename T>(std::type_identity<T>) {
        std::transform(sums.begin(), sums.end(), output.mutableValues<T>().begin(),
                       [](double sum) { return static_cast<T>(sum); });
    });
}

const OpDef matMulNBits{
    .name = "MatMulNBits",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{matMulNBits};

}  // namespace
}  // namespace engine
