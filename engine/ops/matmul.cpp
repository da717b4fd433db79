#include "engine/ops/matrix_product.h"

namespace engine {
namespace {

MatMulAttributes parse(const AttributeReader& /*reader*/) { return {}; }

const OpDef matMul{
    .name = "MatMul",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferMatMul,
    .work = matMulWork,
    .reference = matMulReference,
};
const Register<OpDef> registered{matMul};

}  // namespace
}  // namespace engine
