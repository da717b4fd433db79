#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

void reference(KernelContext& context) {
    const Tensor& left = context.input(0);
    const Tensor& right = context.input(1);
    const auto heads = checkedValues<String>(left, "X");
    const auto tails = checkedValues<String>(right, "Y");
    const Dims dims = broadcastDims(left.dims(), right.dims());
    const auto to = context.output(0, DataType::string, dims).mutableValues<String>();
    Walk<2>(dims, {broadcastStrides(left.dims(), dims), broadcastStrides(right.dims(), dims)})
        .forEach(context, [&](size_t i, const auto& at) {
            to[i] = heads[static_cast<size_t>(at[0])] + tails[static_cast<size_t>(at[1])];
        });
}

const OpDef stringConcat{
    .name = "StringConcat",
    .sinceVersion = 20,
    .attributes = noAttributes,
    .infer = inferBroadcast,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{stringConcat};

}  // namespace
}  // namespace engine
