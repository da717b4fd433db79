#include "tests/views/sample_model.h"

#include <gtest/gtest.h>

namespace test {

std::shared_ptr<const engine::Model> sampleModel() {
    return engine::Model::parse(R"(<ir_version: 8, opset_import: ["" : 17, "nowhere" : 1]>
    agraph (float[N, 4] x, bool flag) => (float[N, 4] y, float[N, 4] z)
    <float[4, 4] w = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}> {
        [a_mul] am = MatMul (x, w)
        [a_relu] ar = Relu (am)
        [half] half = Constant <value = float {0.5}> ()
        [scale] s = Mul (ar, half)
        [b_mul] bm = MatMul (s, w)
        [b_relu] br = Relu (bm)
        [shape] dims = Shape (x)
        [reshape] r = Reshape (br, dims)
        [choose] y = If (flag) <
            then_branch = then_graph () => (float[N, 4] t) { [then_add] t = Add (r, ar) },
            else_branch = else_graph () => (float[N, 4] e) { [else_neg] en = Neg (r) [else_abs] e = Abs (en) }>
        [mystery] z = nowhere.Mystery (r)
    })");
}

engine::OriginId originNamed(const engine::Model& model, const std::string& name) {
    for (size_t index = 0; index < model.origins.size(); ++index) {
        const engine::OriginPlace& place = model.origins[index];
        if (place.graph->node(place.node).name == name) return engine::OriginId(index);
    }
    ADD_FAILURE() << "there is no node named " << name;
    return {};
}

}  // namespace test
