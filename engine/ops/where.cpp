#include "engine/core/dispatch.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

void propagate(InferContext& context) {
    const auto condition = context.inputElements(0);
    const auto yes = context.inputElements(1);
    const auto no = context.inputElements(2);
    if (!condition || !yes || !no) return;
    size_t count = 1;
    for (const auto* list : {&*condition, &*yes, &*no}) {
        if (list->size() == 1) continue;
        if (count != 1 && list->size() != count) return;
        count = list->size();
    }
    const auto at = [&](const std::vector<Dim>& list, size_t i) { return list[list.size() == 1 ? 0 : i]; };
    std::vector<Dim> result;
    for (size_t i = 0; i < count; ++i) {
        const Dim chooses = at(*condition, i);
        const Dim left = at(*yes, i);
        const Dim right = at(*no, i);
        result.push_back(!chooses.isNumber()     ? (left == right ? left : Dim())
                         : chooses.number() != 0 ? left
                                                 : right);
    }
    context.setOutputElements(0, std::move(result));
}

void infer(InferContext& context) {
    const DataType element = context.inputElement(1);
    if (const DataType condition = context.inputElement(0);
        condition != DataType::boolean && condition != DataType::undefined)
        fail("the condition is ", condition, ", expected bool");
    if (context.inputElement(2) != element)
        fail("X is of element type ", element, ", Y of ", context.inputElement(2));
    const Shape* condition = context.inputShape(0);
    const Shape* yes = context.inputShape(1);
    const Shape* no = context.inputShape(2);
    if (condition == nullptr || yes == nullptr || no == nullptr) return context.setOutput(0, element);
    context.setOutput(0, element, broadcast(broadcast(*condition, *yes), *no));
    propagate(context);
}

void reference(KernelContext& context) {
    const Tensor& condition = context.input(0);
    const Tensor& yes = context.input(1);
    const Tensor& no = context.input(2);
    if (condition.type() != DataType::boolean) fail("the condition is ", condition.type(), ", expected bool");
    const Dims dims = broadcastDims(broadcastDims(condition.dims(), yes.dims()), no.dims());
    Tensor& output = context.output(0, yes.type(), dims);
    const auto chooses = condition.values<bool>();
    dispatchStorage(yes.type(), [&]<typename T>(std::type_identity<T>) {
        const auto left = elementsAs<T>(yes);
        const auto right = elementsAs<T>(no);
        const auto to = mutableElementsAs<T>(output);
        const Walk<3> walk(dims, {broadcastStrides(condition.dims(), dims),
                                  broadcastStrides(yes.dims(), dims), broadcastStrides(no.dims(), dims)});
        walk.forEach(context, [&](size_t i, const auto& at) {
            to[i] = chooses[static_cast<size_t>(at[0])] ? left[static_cast<size_t>(at[1])]
                                                        : right[static_cast<size_t>(at[2])];
        });
    });
}

const OpDef where{
    .name = "Where",
    .sinceVersion = 9,
    .attributes = noAttributes,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .tolerance = Tolerance::exact,
    .elementwise = true,
};
const Register<OpDef> registered{where};

}  // namespace
}  // namespace engine
