#include "engine/ops/gemm.h"

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/offsets.h"
#include "engine/ops/sum_type.h"

namespace engine {

GemmAttributes readGemm(const AttributeReader& reader) {
    return {.transposeA = reader.integer("transA", 0) != 0,
            .transposeB = reader.integer("transB", 0) != 0,
            .alpha = reader.number("alpha", 1),
            .beta = reader.number("beta", 1)};
}

GemmAttributes readFusedGemm(const AttributeReader& reader) {
    GemmAttributes attributes = readGemm(reader);
    attributes.activation = readFusedActivation(reader);
    return attributes;
}

namespace {

MatMulAttributes withoutSum(const GemmAttributes& attributes) {
    return {.transposeA = attributes.transposeA, .transposeB = attributes.transposeB};
}

}  // namespace

void inferGemm(InferContext& context) {
    context.checkRank(0, 2, "A");
    context.checkRank(1, 2, "B");
    const auto& attributes = context.attributes<GemmAttributes>();
    const Shape unknown(2);
    const Shape* a = context.inputShape(0);
    const Shape* b = context.inputShape(1);
    const Shape shape =
        matMulShape(withoutSum(attributes), a != nullptr ? *a : unknown, b != nullptr ? *b : unknown);
    if (context.hasInput(2) && context.inputShape(2) != nullptr) {
        if (broadcast(shape, *context.inputShape(2)).size() > 2) fail("C: found more than 2 axes");
    }
    context.setOutput(0, context.inputElement(0), shape);
}

Work gemmWork(const WorkContext& context) {
    const auto& attributes = context.attributes<GemmAttributes>();
    Work work{.multiplyAdds = matMulMultiplyAdds(context, withoutSum(attributes))};
    if (context.hasInput(2)) work.otherFlops += context.outputElements(0);
    if (attributes.activation.isSpecial()) work.specialFunctions = context.outputElements(0);
    return work;
}

namespace {

// alpha and beta are floats for integer matrices too.
template <std::integral T>
T scaledSum(T product, T addend, const GemmAttributes& attributes) {
    if (attributes.alpha == 1 && attributes.beta == 1) {
        return static_cast<T>(static_cast<SumType<T>>(product) + static_cast<SumType<T>>(addend));
    }
    constexpr double limit = 9.2e18;  // what surely fits into int64
    const double sum =
        static_cast<double>(product) * attributes.alpha + static_cast<double>(addend) * attributes.beta;
    return static_cast<T>(static_cast<int64_t>(std::clamp(sum, -limit, limit)));
}

template <class T>
void multiplyAndAdd(KernelContext& context) {
    using Sum = SumType<T>;
    const auto& attributes = context.attributes<GemmAttributes>();
    checkRank(context.input(0), 2, "A");
    checkRank(context.input(1), 2, "B");
    const BatchedProduct product =
        batchedProduct(withoutSum(attributes), context.input(0).dims(), context.input(1).dims());
    const Widened<T> a(context.input(0), "A");
    const Widened<T> b(context.input(1), "B");
    const auto output = context.output(0, product.outputDims).mutableValues<T>();
    std::span<const T> c;
    std::vector<int64_t> offsets;
    if (context.hasInput(2)) {
        c = checkedValues<T>(context.input(2), "C");
        offsets = broadcastOffsets(product.outputDims, context.input(2).dims(), "C");
    }

    std::vector<Sum> sums(output.size());
    Pace pace(context);
    addProduct(a.data(), product.a.matrix, b.data(), product.b.matrix, sums.data(), pace);
    for (size_t i = 0; i < output.size(); ++i) {
        const T addend = offsets.empty() ? T{} : c[static_cast<size_t>(offsets[i])];
        if constexpr (std::is_integral_v<T>) {
            output[i] = scaledSum(static_cast<T>(sums[i]), addend, attributes);
        } else {
            const Sum sum = sums[i] * attributes.alpha + static_cast<Sum>(addend) * attributes.beta;
            output[i] = static_cast<T>(static_cast<Sum>(attributes.activation(sum)));
        }
    }
}

}  // namespace

void gemmReference(KernelContext& context) {
    dispatchAmong<float, double, Float16, BFloat16, int32_t, int64_t, uint32_t, uint64_t>(
        context.input(0).type(), [&]<typename T>(std::type_identity<T>) { multiplyAndAdd<T>(context); });
}

namespace {

const OpDef gemm{
    .name = "Gemm",
    .sinceVersion = 1,
    .attributes = parsed<readGemm>,
    .infer = inferGemm,
    .work = gemmWork,
    .reference = gemmReference,
};
const Register<OpDef> registered{gemm};

}  // namespace
}  // namespace engine
