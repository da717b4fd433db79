#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    bool alignsCorners = false;
};

Attributes parse(const AttributeReader& reader) {
    return {.alignsCorners = reader.integer("align_corners", 0) != 0};
}

// size is [batch, channels, spatial…]; the grid [batch, spatial…, number of spatial axes].
void infer(InferContext& context) {
    const DataType element = context.inputElement(0);
    context.checkRank(0, 3, "theta");
    auto size = context.inputElements(1);
    const Shape* length = context.inputShape(1);
    if (!size && length != nullptr && length->size() == 1 && length->front().isNumber()) {
        size.emplace(static_cast<size_t>(std::clamp<int64_t>(length->front().number(), 0, 6)));
    }
    if (!size) return context.setOutput(0, element);
    if (size->size() != 4 && size->size() != 5)
        fail("size: found ", size->size(), " values, expected 4 or 5");
    Shape grid{size->front()};
    grid.insert(grid.end(), size->begin() + 2, size->end());
    grid.push_back(static_cast<int64_t>(size->size()) - 2);
    context.setOutput(0, element, std::move(grid));
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.outputElements(0) * context.inputDim(0, 1)};
}

// The place of element `index` of an axis between -1 and 1.
double normalized(int64_t index, int64_t length, bool alignsCorners) {
    const auto position = static_cast<double>(index);
    const auto size = static_cast<double>(length);
    if (!alignsCorners) return (2 * position + 1) / size - 1;
    return length == 1 ? -1 : 2 * position / (size - 1) - 1;
}

template <class T>
void fill(KernelContext& context, const std::vector<int64_t>& size) {
    const auto axes = size.size() - 2;
    const Tensor& theta = context.input(0);
    checkDims(theta, {size[0], static_cast<int64_t>(axes), static_cast<int64_t>(axes) + 1}, "theta");
    Dims dims{size[0]};
    dims.insert(dims.end(), size.begin() + 2, size.end());
    dims.push_back(static_cast<int64_t>(axes));
    const auto output = context.output(0, dims).template mutableValues<T>();
    const std::vector<double> matrices = theta.toDouble();
    const bool alignsCorners = context.attributes<Attributes>().alignsCorners;

    const Dims spatial(size.begin() + 2, size.end());
    const size_t points = output.empty() ? 0 : output.size() / axes / static_cast<size_t>(size[0]);
    std::vector<double> place(axes + 1, 1);  // last axis first, then 1 for the shift
    Pace pace(context);
    for (size_t i = 0; i * axes < output.size(); ++i) {
        auto rest = static_cast<int64_t>(i % points);
        for (size_t a = axes; a-- > 0;) {
            place[axes - 1 - a] = normalized(rest % spatial[a], spatial[a], alignsCorners);
            rest /= spatial[a];
        }
        const double* matrix = matrices.data() + i / points * axes * (axes + 1);
        for (size_t row = 0; row < axes; ++row) {
            double sum = 0;
            for (size_t column = 0; column <= axes; ++column) {
                sum += matrix[row * (axes + 1) + column] * place[column];
            }
            output[i * axes + row] = static_cast<T>(sum);
        }
        pace.spend(16);
    }
}

void reference(KernelContext& context) {
    checkRank(context.input(1), 1, "size");
    const std::vector<int64_t> size = context.input(1).toInt64();
    if (size.size() != 4 && size.size() != 5) fail("size: found ", size.size(), " values, expected 4 or 5");
    dispatchFloat(context.input(0).type(),
                  [&]<typename T>(std::type_identity<T>) { fill<T>(context, size); });
}

const OpDef affineGrid{
    .name = "AffineGrid",
    .sinceVersion = 20,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{affineGrid};

}  // namespace
}  // namespace engine
