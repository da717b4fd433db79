// Operators that com.microsoft had before ai.onnx took them over: they are written in ONNX's form.

#include "engine/ops/op.h"

namespace engine {
namespace {

template <int version>
void adopt(NodeRewriter& node) {
    node.node().domain = "";
    node.setVersion(version);
}

void toFusedMatMul(NodeRewriter& node) { node.node().operatorType = "FusedMatMul"; }

const OpUpgrade table[] = {
    {.name = "Pad", .sinceVersion = 1, .rewrite = adopt<13>, .domain = "com.microsoft"},
    {.name = "FusedMatMulActivation", .sinceVersion = 1, .rewrite = toFusedMatMul, .domain = "com.microsoft"},
    {.name = "TransposeMatMul", .sinceVersion = 1, .rewrite = toFusedMatMul, .domain = "com.microsoft"},
    {.name = "Trilu", .sinceVersion = 1, .rewrite = adopt<14>, .domain = "com.microsoft"},
};
const RegisterAll<OpUpgrade> registered{table};

}  // namespace
}  // namespace engine
