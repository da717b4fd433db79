#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    const auto rank = context.inputRank(0);
    // A scalar counts as a vector of one.
    context.setOutput(0, DataType::int64, {rank ? Dim(std::max<int64_t>(*rank, 1)) : Dim(), Dim()});
}

bool isZero(const String& value) { return value.empty(); }
template <class T>
bool isZero(const T& value) {
    return value == T{};
}

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    std::vector<int64_t> found;
    dispatchAny(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto values = input.values<T>();
        for (size_t i = 0; i < values.size(); ++i) {
            if (!isZero(values[i])) found.push_back(static_cast<int64_t>(i));
        }
    });
    const Dims dims = input.rank() == 0 ? Dims{1} : input.dims();
    const auto count = found.size();
    Tensor& output =
        context.output(0, DataType::int64, {static_cast<int64_t>(dims.size()), static_cast<int64_t>(count)});
    const auto to = output.mutableValues<int64_t>();
    for (size_t axis = dims.size(); axis-- > 0;) {
        for (size_t i = 0; i < count; ++i) {
            to[axis * count + i] = found[i] % dims[axis];
            found[i] /= dims[axis];
        }
    }
}

const OpDef nonZero{
    .name = "NonZero",
    .sinceVersion = 9,
    .attributes = noAttributes,
    .infer = infer,
    .work = onePerInput,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{nonZero};

}  // namespace
}  // namespace engine
