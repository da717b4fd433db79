#include <algorithm>
#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/pool.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    if (const DataType element = context.inputElement(0); element != DataType::undefined)
        dispatchFloat(element, [](auto) {});
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return context.setOutput(0, context.inputElement(0));
    if (input->size() < 2)
        fail("X: found rank ", input->size(), ", expected a batch, channels and spatial axes");
    Shape output(input->size(), Dim(1));
    output[0] = (*input)[0];
    output[1] = (*input)[1];
    context.setOutput(0, context.inputElement(0), std::move(output));
}

// Calls reduce(plane) with the elements of each plane and puts what it gives into the output.
template <class T, class Reduce>
void reducePlanes(KernelContext& context, Reduce reduce) {
    const Tensor& input = context.input(0);
    checkRankAtLeast(input, 2, "X");
    const auto values = checkedValues<T>(input, "X");
    Dims dims(input.dims().size(), 1);
    dims[0] = input.dims()[0];
    dims[1] = input.dims()[1];
    const auto output = context.output(0, dims).template mutableValues<T>();
    if (output.empty()) return;
    const size_t size = values.size() / output.size();
    Pace pace(context);
    for (size_t i = 0; i < output.size(); ++i) {
        output[i] = static_cast<T>(reduce(values.subspan(i * size, size)));
        pace.spend(static_cast<int64_t>(size));
    }
}

template <class T>
double mean(std::span<const T> plane) {
    double sum = 0;
    for (const T& value : plane) sum += static_cast<double>(value);
    return sum / static_cast<double>(plane.size());
}

template <class T>
T largest(std::span<const T> plane) {
    if (plane.empty()) fail("X: found no spatial elements, expected at least one");
    return *std::max_element(plane.begin(), plane.end());
}

template <class T>
double norm(std::span<const T> plane, double p) {
    double sum = 0;
    for (const T& value : plane) sum += std::pow(std::abs(static_cast<double>(value)), p);
    return std::pow(sum, 1 / p);
}

void averageReference(KernelContext& context) {
    dispatchFloat(context.input(0).type(),
                  [&]<typename T>(std::type_identity<T>) { reducePlanes<T>(context, mean<T>); });
}

void maxReference(KernelContext& context) {
    dispatchFloat(context.input(0).type(),
                  [&]<typename T>(std::type_identity<T>) { reducePlanes<T>(context, largest<T>); });
}

void lpReference(KernelContext& context) {
    const double p = context.attributes<double>();
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        reducePlanes<T>(context, [p](std::span<const T> plane) { return norm(plane, p); });
    });
}

Work lpWork(const WorkContext& context) { return {.specialFunctions = context.inputElements(0)}; }

const OpDef globalAveragePool{
    .name = "GlobalAveragePool",
    .sinceVersion = 1,
    .attributes = noAttributes,
    .infer = infer,
    .work = onePerInput,
    .reference = averageReference,
};
const Register<OpDef> registeredAverage{globalAveragePool};

const OpDef globalMaxPool{
    .name = "GlobalMaxPool",
    .sinceVersion = 1,
    .attributes = noAttributes,
    .infer = infer,
    .work = onePerInput,
    .reference = maxReference,
};
const Register<OpDef> registeredMax{globalMaxPool};

const OpDef globalLpPool{
    .name = "GlobalLpPool",
    .sinceVersion = 1,
    .attributes = parsed<readExponent>,
    .infer = infer,
    .work = lpWork,
    .reference = lpReference,
};
const Register<OpDef> registeredLp{globalLpPool};

}  // namespace
}  // namespace engine
