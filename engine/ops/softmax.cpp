#include <cmath>
#include <limits>

#include "engine/core/dispatch.h"
#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis;
};

Attributes parse(const AttributeReader& reader) { return {reader.integer("axis", -1)}; }

/// Before opset 13 the dims from `axis` on were one, and the default was another.
struct OldAttributes {
    int64_t axis;
};

OldAttributes parseOld(const AttributeReader& reader) { return {reader.integer("axis", 1)}; }

/// The operator runs along the middle.
AxisSplit alongAxis(const KernelContext& context) {
    const Dims& dims = context.input(0).dims();
    if (dims.empty()) return {};
    const auto axis = static_cast<size_t>(
        normalizedAxis(context.attributes<Attributes>().axis, static_cast<int64_t>(dims.size())));
    return splitAt(dims, axis);
}

AxisSplit fromAxisOn(const KernelContext& context) {
    const Dims& dims = context.input(0).dims();
    if (dims.empty()) return {};
    const auto rank = static_cast<int64_t>(dims.size());
    int64_t axis = context.attributes<OldAttributes>().axis;
    if (axis < -rank || axis > rank) fail("axis ", axis, " is out of range for rank ", rank);
    if (axis < 0) axis += rank;
    AxisSplit middle;
    for (size_t i = 0; i < dims.size(); ++i)
        (static_cast<int64_t>(i) < axis ? middle.outer : middle.length) *= dims[i];
    return middle;
}

/// One row of numbers in, one out.
using Row = void (*)(std::vector<double>& row);

double largest(const std::vector<double>& row) {
    double result = -std::numeric_limits<double>::infinity();
    for (const double x : row) result = std::isnan(x) ? x : std::max(result, x);
    return result;
}

void softmaxRow(std::vector<double>& row) {
    const double shift = largest(row);
    double sum = 0;
    for (double& x : row) sum += x = std::exp(x - shift);
    for (double& x : row) x /= sum;
}

void logSoftmaxRow(std::vector<double>& row) {
    const double shift = largest(row);
    double sum = 0;
    for (const double x : row) sum += std::exp(x - shift);
    for (double& x : row) x = x - shift - std::log(sum);
}

/// 1 at the first of the largest, 0 elsewhere.
void hardmaxRow(std::vector<double>& row) {
    size_t best = 0;
    for (size_t i = 1; i < row.size(); ++i) {
        if (row[i] > row[best]) best = i;
    }
    for (size_t i = 0; i < row.size(); ++i) row[i] = i == best ? 1 : 0;
}

template <Row transform, AxisSplit (*shapeOf)(const KernelContext&)>
void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    const AxisSplit middle = shapeOf(context);
    Tensor& output = context.output(0, input.dims());
    if (input.elements() == 0) return;
    dispatchFloat(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = input.values<T>();
        const auto to = output.mutableValues<T>();
        std::vector<double> row(static_cast<size_t>(middle.length));
        for (int64_t i = 0; i < middle.outer * middle.inner; ++i) {
            context.checkpoint();
            const int64_t start = i / middle.inner * middle.length * middle.inner + i % middle.inner;
            for (int64_t k = 0; k < middle.length; ++k) {
                row[static_cast<size_t>(k)] =
                    static_cast<double>(from[static_cast<size_t>(start + k * middle.inner)]);
            }
            transform(row);
            for (int64_t k = 0; k < middle.length; ++k) {
                to[static_cast<size_t>(start + k * middle.inner)] =
                    static_cast<T>(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(
                        row[static_cast<size_t>(k)]));
            }
        }
    });
}

Work work(const WorkContext& context) {
    return {.otherFlops = 3 * context.outputElements(0), .specialFunctions = context.outputElements(0)};
}

const OpDef softmax{
    .name = "Softmax",
    .sinceVersion = 13,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = work,
    .reference = reference<softmaxRow, alongAxis>,
};
const Register<OpDef> registeredSoftmax{softmax};

const OpDef oldSoftmax{
    .name = "Softmax",
    .sinceVersion = 1,
    .attributes = parsed<parseOld>,
    .infer = inferSameAsInput,
    .work = work,
    .reference = reference<softmaxRow, fromAxisOn>,
};
const Register<OpDef> registeredOldSoftmax{oldSoftmax};

const OpDef logSoftmax{
    .name = "LogSoftmax",
    .sinceVersion = 13,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = work,
    .reference = reference<logSoftmaxRow, alongAxis>,
};
const Register<OpDef> registeredLogSoftmax{logSoftmax};

const OpDef oldLogSoftmax{
    .name = "LogSoftmax",
    .sinceVersion = 1,
    .attributes = parsed<parseOld>,
    .infer = inferSameAsInput,
    .work = work,
    .reference = reference<logSoftmaxRow, fromAxisOn>,
};
const Register<OpDef> registeredOldLogSoftmax{oldLogSoftmax};

const OpDef hardmax{
    .name = "Hardmax",
    .sinceVersion = 13,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = onePerInput,
    .reference = reference<hardmaxRow, alongAxis>,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredHardmax{hardmax};

const OpDef oldHardmax{
    .name = "Hardmax",
    .sinceVersion = 1,
    .attributes = parsed<parseOld>,
    .infer = inferSameAsInput,
    .work = onePerInput,
    .reference = reference<hardmaxRow, fromAxisOn>,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredOldHardmax{oldHardmax};

}  // namespace
}  // namespace engine
