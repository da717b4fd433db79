#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    bool isCenterForm = false;
};

Attributes parse(const AttributeReader& reader) {
    return {.isCenterForm = reader.integer("center_point_box", 0) != 0};
}

// Inputs: boxes [batch, boxes, 4], scores [batch, classes, boxes]; output: rows of batch, class, box.
void infer(InferContext& context) {
    context.checkRank(0, 3, "boxes");
    context.checkRank(1, 3, "scores");
    context.setOutput(0, DataType::int64, Shape{Dim(), 3});
}

Work work(const WorkContext& context) {
    const Dim boxes = context.inputDim(1, 2);
    return {.otherFlops = context.inputDim(1, 0) * context.inputDim(1, 1) * boxes * boxes * Dim(12)};
}

struct Box {
    float left = 0;
    float top = 0;
    float right = 0;
    float bottom = 0;

    float area() const { return (right - left) * (bottom - top); }
};

// Four numbers: two opposite corners (y, x, y, x), or the center with width and height (x, y, w, h).
Box boxOf(const float* numbers, bool isCenterForm) {
    if (isCenterForm) {
        const float halfWidth = numbers[2] / 2;
        const float halfHeight = numbers[3] / 2;
        return {numbers[0] - halfWidth, numbers[1] - halfHeight, numbers[0] + halfWidth,
                numbers[1] + halfHeight};
    }
    return {std::min(numbers[1], numbers[3]), std::min(numbers[0], numbers[2]),
            std::max(numbers[1], numbers[3]), std::max(numbers[0], numbers[2])};
}

bool overlaps(const Box& a, const Box& b, float threshold) {
    const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
    const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    if (!(width > 0) || !(height > 0)) return false;
    const float shared = width * height;
    if (a.area() <= 0 || b.area() <= 0) return false;
    return shared / (a.area() + b.area() - shared) > threshold;
}

struct Limits {
    int64_t most = 0;
    float overlap = 0;
    float score = -std::numeric_limits<float>::infinity();
    bool hasScore = false;
};

Limits limitsOf(const KernelContext& context) {
    Limits limits;
    if (context.hasInput(2))
        limits.most = onlyElement<int64_t>(context.input(2), "max_output_boxes_per_class");
    if (context.hasInput(3)) limits.overlap = onlyElement<float>(context.input(3), "iou_threshold");
    if (context.hasInput(4)) limits.score = onlyElement<float>(context.input(4), "score_threshold");
    limits.hasScore = context.hasInput(4);
    if (!(limits.overlap >= 0 && limits.overlap <= 1)) {
        fail("iou_threshold: found ", limits.overlap, ", expected 0 to 1");
    }
    return limits;
}

// The boxes kept of one class, best first.
std::vector<int64_t> keptBoxes(const std::vector<Box>& boxes, std::span<const float> scores,
                               const Limits& limits, Pace& pace) {
    std::vector<int64_t> order;
    for (size_t i = 0; i < boxes.size(); ++i) {
        if (!limits.hasScore || scores[i] > limits.score) order.push_back(static_cast<int64_t>(i));
    }
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)];
    });
    std::vector<int64_t> kept;
    for (const int64_t candidate : order) {
        if (static_cast<int64_t>(kept.size()) >= limits.most) break;
        const Box& box = boxes[static_cast<size_t>(candidate)];
        const bool isCovered = std::any_of(kept.begin(), kept.end(), [&](int64_t other) {
            return overlaps(box, boxes[static_cast<size_t>(other)], limits.overlap);
        });
        if (!isCovered) kept.push_back(candidate);
        pace.spend(12 * static_cast<int64_t>(kept.size()));
    }
    return kept;
}

void reference(KernelContext& context) {
    const Tensor& boxTensor = context.input(0);
    const Tensor& scoreTensor = context.input(1);
    checkRank(boxTensor, 3, "boxes");
    checkRank(scoreTensor, 3, "scores");
    const int64_t batch = scoreTensor.dims()[0];
    const int64_t classes = scoreTensor.dims()[1];
    const int64_t count = scoreTensor.dims()[2];
    checkDims(boxTensor, {batch, count, 4}, "boxes");
    const auto numbers = checkedValues<float>(boxTensor, "boxes");
    const auto scores = checkedValues<float>(scoreTensor, "scores");
    const Limits limits = limitsOf(context);

    std::vector<int64_t> rows;
    Pace pace(context);
    for (int64_t n = 0; n < batch; ++n) {
        std::vector<Box> boxes;
        for (int64_t i = 0; i < count; ++i) {
            boxes.push_back(
                boxOf(numbers.data() + (n * count + i) * 4, context.attributes<Attributes>().isCenterForm));
        }
        for (int64_t c = 0; c < classes; ++c) {
            const auto ofClass =
                scores.subspan(static_cast<size_t>((n * classes + c) * count), static_cast<size_t>(count));
            for (const int64_t box : keptBoxes(boxes, ofClass, limits, pace)) {
                rows.insert(rows.end(), {n, c, box});
            }
        }
    }
    const auto output =
        context.output(0, {static_cast<int64_t>(rows.size() / 3), 3}).mutableValues<int64_t>();
    std::copy(rows.begin(), rows.end(), output.begin());
}

const OpDef nonMaxSuppression{
    .name = "NonMaxSuppression",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{nonMaxSuppression};

}  // namespace
}  // namespace engine
