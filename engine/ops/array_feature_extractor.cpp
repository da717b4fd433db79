#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// Inputs: X [..., features], the features to take; a single row gives one row.
void infer(InferContext& context) {
    const Shape* input = context.inputShape(0);
    const DataType element = context.inputElement(0);
    if (input == nullptr) return context.setOutput(0, element);
    if (input->empty()) fail("X: found rank 0, expected at least 1");
    Shape output(input->begin(), input->end() - 1);
    if (output.empty()) output.emplace_back(1);
    const Shape* indices = context.inputShape(1);
    output.push_back(indices != nullptr ? elementCount(*indices) : Dim());
    context.setOutput(0, element, std::move(output));
}

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    checkRankAtLeast(input, 1, "X");
    const auto indices = checkedValues<int64_t>(context.input(1), "Y");
    const int64_t features = input.dims().back();
    for (const int64_t index : indices) {
        if (index < 0 || index >= features) fail("Y: found ", index, ", expected 0 to ", features - 1);
    }
    Dims dims(input.dims().begin(), input.dims().end() - 1);
    if (dims.empty()) dims.push_back(1);
    const int64_t rows = elementCount(dims);
    dims.push_back(static_cast<int64_t>(indices.size()));
    Tensor& output = context.output(0, input.type(), dims);
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(input);
        auto to = mutableElementsAs<T>(output).begin();
        Pace pace(context);
        for (int64_t row = 0; row < rows; ++row) {
            for (const int64_t index : indices) *to++ = from[static_cast<size_t>(row * features + index)];
            pace.spend(static_cast<int64_t>(indices.size()));
        }
    });
}

const OpDef arrayFeatureExtractor{
    .name = "ArrayFeatureExtractor",
    .sinceVersion = 1,
    .attributes = noAttributes,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .domain = mlDomain,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{arrayFeatureExtractor};

}  // namespace
}  // namespace engine
