#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

// Upsample, and Resize before opset 11, are Resize with asymmetric coordinates. Their nearest mode rounds
// down on axes that grow and up on axes that shrink.
std::string nearestMode(const Tensor* scales) {
    if (scales == nullptr || scales->type() != DataType::float32) return "floor_up_ceil_down";
    const auto values = scales->values<float>();
    if (std::all_of(values.begin(), values.end(), [](float scale) { return scale >= 1; })) return "floor";
    if (std::all_of(values.begin(), values.end(), [](float scale) { return scale <= 1; })) return "ceil";
    return "floor_up_ceil_down";
}

void becomeResize(NodeRewriter& node, const Tensor* scales) {
    std::string mode = node.attributes().string("mode", "nearest");
    if (mode == "bilinear") mode = "linear";
    node.setAttribute("mode", mode);
    node.setAttribute("coordinate_transformation_mode", std::string("asymmetric"));
    node.setAttribute("nearest_mode", nearestMode(scales));
    node.node().operatorType = "Resize";
    node.setVersion(11);
}

// Scales that were an attribute.
void rewriteAttribute(NodeRewriter& node, std::vector<float> scales) {
    const auto count = static_cast<int64_t>(scales.size());
    const Tensor tensor = Tensor::of<float>({count}, scales);
    node.setInput(2, tensor);
    becomeResize(node, &tensor);
}

void rewrite1(NodeRewriter& node) {
    const float height = node.attributes().number("height_scale");
    const float width = node.attributes().number("width_scale");
    node.removeAttribute("height_scale");
    node.removeAttribute("width_scale");
    rewriteAttribute(node, {1, 1, height, width});
}

void rewrite7(NodeRewriter& node) {
    const std::vector<float> scales = node.attributes().numbers("scales");
    if (scales.empty()) fail("attribute 'scales' is missing");
    node.removeAttribute("scales");
    rewriteAttribute(node, scales);
}

// Scales as input 1, where Resize has its regions of interest.
void rewrite9(NodeRewriter& node) {
    std::vector<ValueId>& inputs = node.node().inputs;
    if (inputs.size() != 2 || !inputs[1].isValid()) fail("found ", inputs.size(), " inputs, expected 2");
    const auto& constant = node.graph().value(inputs[1]).constant;
    const bool isKnown = constant && constant->isTensor();
    inputs = {inputs[0], ValueId(), inputs[1]};
    becomeResize(node, isKnown ? &constant->tensor() : nullptr);
}

const OpUpgrade upsample1{.name = "Upsample", .sinceVersion = 1, .rewrite = rewrite1};
const Register<OpUpgrade> registered1{upsample1};

const OpUpgrade upsample7{.name = "Upsample", .sinceVersion = 7, .rewrite = rewrite7};
const Register<OpUpgrade> registered7{upsample7};

const OpUpgrade upsample9{.name = "Upsample", .sinceVersion = 9, .rewrite = rewrite9};
const Register<OpUpgrade> registered9{upsample9};

const OpUpgrade resize10{.name = "Resize", .sinceVersion = 10, .rewrite = rewrite9};
const Register<OpUpgrade> registered10{resize10};

}  // namespace
}  // namespace engine
