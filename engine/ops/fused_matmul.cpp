#include "engine/ops/matrix_product.h"

namespace engine {
namespace {

MatMulAttributes parse(const AttributeReader& reader) {
    return {.transposeA = reader.integer("transA", 0) != 0,
            .transposeB = reader.integer("transB", 0) != 0,
            .transposeBatchA = reader.integer("transBatchA", 0) != 0,
            .transposeBatchB = reader.integer("transBatchB", 0) != 0,
            .alpha = reader.number("alpha", 1),
            .activation = readFusedActivation(reader)};
}

const OpDef fusedMatMul{
    .name = "FusedMatMul",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferMatMul,
    .work = matMulWork,
    .reference = matMulReference,
    .domain = "opscope",
};
const Register<OpDef> registered{fusedMatMul};

const OpDef microsoftFusedMatMul{
    .name = "FusedMatMul",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferMatMul,
    .work = matMulWork,
    .reference = matMulReference,
    .domain = "com.microsoft",
};
const Register<OpDef> registeredMicrosoft{microsoftFusedMatMul};

}  // namespace
}  // namespace engine
