#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/offsets.h"
#include "engine/ops/qlinear.h"
#include "engine/ops/quantization.h"

namespace engine {
namespace {

// Inputs: A, its scale and zero point, B and its (one each, or one for each column), C of 32-bit integers on
// the grid of the product, the result's scale and zero point; without those the result is real.
struct Attributes {
    bool transposeA = false;
    bool transposeB = false;
    float alpha = 1;
};

Attributes parse(const AttributeReader& reader) {
    return {.transposeA = reader.integer("transA", 0) != 0,
            .transposeB = reader.integer("transB", 0) != 0,
            .alpha = reader.number("alpha", 1)};
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    context.checkRank(0, 2, "A");
    context.checkRank(3, 2, "B");
    const Shape* a = context.inputShape(0);
    const Shape* b = context.inputShape(3);
    Shape output(2);
    if (a != nullptr) output[0] = (*a)[attributes.transposeA ? 1 : 0];
    if (b != nullptr) output[1] = (*b)[attributes.transposeB ? 0 : 1];
    if (a != nullptr && b != nullptr) {
        agreed((*a)[attributes.transposeA ? 0 : 1], (*b)[attributes.transposeB ? 1 : 0], "inner sizes");
    }
    const DataType element =
        context.hasInput(7) ? context.inputElement(context.hasInput(8) ? 8 : 0) : DataType::float32;
    context.setOutput(0, element, std::move(output));
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.outputElements(0) *
                            context.inputDim(0, context.attributes<Attributes>().transposeA ? 0 : 1)};
}

MatrixView viewOf(const Tensor& tensor, bool isTransposed, const char* what) {
    checkRank(tensor, 2, what);
    const MatrixView view{tensor.dims()[0], tensor.dims()[1], tensor.dims()[1], 1};
    return isTransposed ? view.transposed() : view;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& a = context.input(0);
    const Tensor& b = context.input(3);
    const MatrixView aView = viewOf(a, attributes.transposeA, "A");
    const MatrixView bView = viewOf(b, attributes.transposeB, "B");
    if (aView.columns != bView.rows) fail("inner sizes differ: ", aView.columns, " and ", bView.rows);
    const OneGrid aGrid = oneGrid(context, 1);
    const Grid bGrid = gridOf(context.input(4), context.hasInput(5) ? &context.input(5) : nullptr);
    const auto columns = static_cast<size_t>(bView.columns);
    if (bGrid.scales.size() != 1 && bGrid.scales.size() != columns) {
        fail("b_scale: found ", bGrid.scales.size(), " values, expected one or ", columns);
    }
    const auto at = [&](size_t column) { return bGrid.scales.size() == 1 ? 0 : column; };
    std::vector<double> left = a.toDouble();
    for (double& value : left) value -= static_cast<double>(aGrid.zeroPoint);
    std::vector<double> right = b.toDouble();
    for (size_t i = 0; i < right.size(); ++i) {
        const size_t column = attributes.transposeB ? i / static_cast<size_t>(b.dims()[1]) : i % columns;
        right[i] -= bGrid.zeroPoints[at(column)];
    }
    const Dims dims{aView.rows, bView.columns};
    std::vector<double> sums(static_cast<size_t>(elementCount(dims)), 0);
    Pace pace(context);
    addProduct(left.data(), aView, right.data(), bView, sums.data(), pace);
    std::vector<int64_t> bias;
    std::vector<int64_t> places;
    if (context.hasInput(6)) {
        bias = context.input(6).toInt64();
        places = broadcastOffsets(dims, context.input(6).dims(), "C");
    }
    std::vector<float> result(sums.size());
    for (size_t i = 0; i < sums.size(); ++i) {
        if (!bias.empty()) sums[i] += static_cast<double>(bias[static_cast<size_t>(places[i])]);
        const auto scale = static_cast<float>(bGrid.scales[at(i % columns)]);
        result[i] = static_cast<float>(sums[i]) * (attributes.alpha * aGrid.scale * scale);
    }
    if (context.hasInput(7)) return setQuantized(context, dims, result, 7, a.type());
    std::copy(result.begin(), result.end(),
              context.output(0, DataType::float32, dims).mutableValues<float>().begin());
}

const OpDef qGemm{
    .name = "QGemm",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{qGemm};

}  // namespace
}  // namespace engine
