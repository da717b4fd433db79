#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/offsets.h"
#include "engine/ops/quantization.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    const Shape* a = context.inputShape(0);
    const Shape* b = context.inputShape(1);
    if (a == nullptr || b == nullptr) return context.setOutput(0, DataType::int32);
    context.setOutput(0, DataType::int32, matMulShape({}, *a, *b));
}

Work work(const WorkContext& context) { return {.multiplyAdds = matMulMultiplyAdds(context, {})}; }

const Tensor* optionalInput(const KernelContext& context, size_t index) {
    return context.hasInput(index) ? &context.input(index) : nullptr;
}

// A list of zero points for A has one for each row.
Dims rowWise(const Tensor* zeroPoint) {
    if (zeroPoint == nullptr) return {};
    Dims dims = zeroPoint->dims();
    if (dims.size() == 1) dims.push_back(1);
    return dims;
}

void reference(KernelContext& context) {
    const Tensor& a = context.input(0);
    const Tensor& b = context.input(1);
    const BatchedProduct product = batchedProduct({}, a.dims(), b.dims());
    const Tensor* aZero = optionalInput(context, 2);
    const Tensor* bZero = optionalInput(context, 3);
    const std::vector<int32_t> aValues = centered(a, aZero, rowWise(aZero), "A");
    const std::vector<int32_t> bValues = centered(b, bZero, bZero == nullptr ? Dims{} : bZero->dims(), "B");
    const auto output = context.output(0, DataType::int32, product.outputDims).mutableValues<int32_t>();
    if (output.empty()) return;

    std::fill(output.begin(), output.end(), 0);
    const auto aOffsets = broadcastOffsets(product.stack, product.a.batch, product.a.batchStrides);
    const auto bOffsets = broadcastOffsets(product.stack, product.b.batch, product.b.batchStrides);
    const int64_t size = product.a.matrix.rows * product.b.matrix.columns;
    Pace pace(context);
    // Sums are allowed to wrap around in 32 bits, which unsigned numbers do.
    const auto bits = [](const auto* numbers) { return reinterpret_cast<const uint32_t*>(numbers); };
    auto* sums = reinterpret_cast<uint32_t*>(output.data());
    for (size_t i = 0; i < aOffsets.size(); ++i) {
        addProduct(bits(aValues.data()) + aOffsets[i], product.a.matrix, bits(bValues.data()) + bOffsets[i],
                   product.b.matrix, sums + static_cast<int64_t>(i) * size, pace);
    }
}

const OpDef matMulInteger{
    .name = "MatMulInteger",
    .sinceVersion = 10,
    .attributes = noAttributes,
    .infer = infer,
    .work = work,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{matMulInteger};

}  // namespace
}  // namespace engine
