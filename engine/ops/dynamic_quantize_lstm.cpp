#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/pace.h"
#include "engine/ops/quantization.h"
#include "engine/ops/recurrent.h"

namespace engine {
namespace {

// The scales or zero points of one direction's weights: one for all columns or one for each.
std::vector<double> columnParameters(const KernelContext& context, size_t index, int64_t direction,
                                     int64_t width, const char* what) {
    const Tensor& tensor = context.input(index);
    const int64_t directions = context.attributes<RecurrentAttributes>().directions;
    const std::vector<double> all = tensor.toDouble();
    if (tensor.elements() == directions) {
        return std::vector<double>(static_cast<size_t>(width), all[static_cast<size_t>(direction)]);
    }
    checkDims(tensor, {directions, width}, what);
    return {all.begin() + direction * width, all.begin() + (direction + 1) * width};
}

// Weights of [inner, width] for one direction, in integers, with the scale of each column. All rows of a
// product are quantized together, by their own range.
struct QuantizedWeights {
    std::vector<double> rows = {};
    std::vector<double> scales = {};
    int64_t inner = 0;

    void multiply(const double* from, int64_t count, std::vector<double>& sums, Pace& pace) const {
        const std::vector<float> values(from, from + count * inner);
        const DynamicGrid grid = dynamicGrid(values);
        const auto width = static_cast<int64_t>(scales.size());
        for (int64_t row = 0; row < count; ++row) {
            for (int64_t k = 0; k < inner; ++k) {
                const int step =
                    grid.quantized(values[static_cast<size_t>(row * inner + k)]) - grid.zeroPoint;
                const double* weight = rows.data() + k * width;
                double* to = sums.data() + row * width;
                for (int64_t j = 0; j < width; ++j) to[j] += step * weight[j];
                pace.spend(width);
            }
            for (int64_t j = 0; j < width; ++j) {
                sums[static_cast<size_t>(row * width + j)] *= grid.scale * scales[static_cast<size_t>(j)];
            }
        }
    }
};

// `index` of the weights; their scale and zero point stand at `parameters` and the next input.
RowProduct quantizedProduct(const KernelContext& context, size_t index, size_t parameters, int64_t direction,
                            int64_t inner, int64_t width) {
    QuantizedWeights weights{.scales = columnParameters(context, parameters, direction, width, "a scale"),
                             .inner = inner};
    const std::vector<double> zeros =
        columnParameters(context, parameters + 1, direction, width, "a zero point");
    const std::vector<double> all = context.input(index).toDouble();
    weights.rows.assign(all.begin() + direction * inner * width,
                        all.begin() + (direction + 1) * inner * width);
    for (size_t i = 0; i < weights.rows.size(); ++i) weights.rows[i] -= zeros[i % zeros.size()];
    return
        [&context, weights = std::move(weights)](const double* rows, int64_t count, GateRange, double* sums) {
            Pace pace(context);
            std::vector<double> products(static_cast<size_t>(count) * weights.scales.size());
            weights.multiply(rows, count, products, pace);
            for (size_t i = 0; i < products.size(); ++i) sums[i] += products[i];
        };
}

void makeProducts(KernelContext& context, int64_t direction, RecurrentCell& cell) {
    const RecurrentSizes& sizes = cell.sizes;
    cell.inputProduct = quantizedProduct(context, 1, 8, direction, sizes.input, sizes.width());
    cell.recurrentProduct = quantizedProduct(context, 2, 10, direction, sizes.hidden, sizes.width());
}

void reference(KernelContext& context) {
    runRecurrent(context, {.gates = 4, .isTransposed = true, .step = lstmStep, .makeProducts = makeProducts});
}

void infer(InferContext& context) {
    inferRecurrent(context);
    const int64_t directions = context.attributes<RecurrentAttributes>().directions;
    for (size_t i = 8; i <= 11; ++i) {
        const std::optional<Dims> dims = knownDims(context, i);
        const Shape* weights = context.inputShape(i < 10 ? 1 : 2);
        if (!dims || elementCount(*dims) == directions || weights == nullptr || weights->size() != 3)
            continue;
        const Dim& width = weights->back();
        if (width.isNumber() && *dims != Dims{directions, width.number()}) {
            fail(i % 2 == 0 ? "scales" : "zero points", " of input ", i, ": found shape ", listText(*dims),
                 ", expected ", listText(Dims{directions}), " or ",
                 listText(Dims{directions, width.number()}));
        }
    }
}

const OpDef dynamicQuantizeLstm{
    .name = "DynamicQuantizeLSTM",
    .sinceVersion = 1,
    .attributes = parsed<readLstm>,
    .infer = infer,
    .work = lstmWork,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{dynamicQuantizeLstm};

}  // namespace
}  // namespace engine
