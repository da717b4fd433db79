#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

// Values by numpy.
const OpCases softmax(
    "Softmax",
    {
        {.name = "NormalizesAlongTheLastAxis",
         .inputs = {floats({2, 2}, {0, 1, 2, 0})},
         .outputs = {floats({2, 2}, {0.26894143F, 0.73105860F, 0.88079709F, 0.11920292F})}},
        {.name = "NormalizesAlongAnotherAxis",
         .attributes = {attribute("axis", 0)},
         .inputs = {floats({2, 2}, {0, 1, 2, 0})},
         .outputs = {floats({2, 2}, {0.11920292F, 0.73105860F, 0.88079709F, 0.26894143F})}},
        {.name = "StaysFiniteForLargeNumbers",
         .inputs = {floats({3}, {1000, 1000, -1000})},
         .outputs = {floats({3}, {0.5F, 0.5F, 0})}},
        {.name = "TakesAllDimsFromTheAxisOnTogetherInOldOpsets",
         .version = 11,
         .attributes = {attribute("axis", 1)},
         .inputs = {floats({1, 2, 2}, {0, 0, 0, 0})},
         .outputs = {floats({1, 2, 2}, {0.25F, 0.25F, 0.25F, 0.25F})}},
        {.name = "KeepsAnEmptyTensorEmpty", .inputs = {floats({0, 3}, {})}, .outputs = {floats({0, 3}, {})}},
        {.name = "RefusesAnAxisThatIsNotThere",
         .attributes = {attribute("axis", 4)},
         .inputs = {floats({3}, {1, 2, 3})},
         .error = "axis 4 is out of range for rank 1"},
    });

const OpCases logSoftmax("LogSoftmax", {
                                           {.name = "IsTheLogarithmOfSoftmax",
                                            .inputs = {floats({2}, {0, 1})},
                                            .outputs = {floats({2}, {-1.31326169F, -0.31326169F})}},
                                           {.name = "StaysFiniteWhereSoftmaxIsZero",
                                            .inputs = {floats({2}, {-1000, 1000})},
                                            .outputs = {floats({2}, {-2000, 0})}},
                                           {.name = "KeepsWhatIsSmallWhereInputsAreLarge",
                                            .inputs = {floats({2}, {1000, 988})},
                                            .outputs = {floats({2}, {-6.1441935e-6F, -12.0000061F})}},
                                       });

const OpCases hardmax("Hardmax", {
                                     {.name = "PicksTheFirstOfTheLargest",
                                      .inputs = {floats({2, 3}, {1, 3, 3, 5, 2, 1})},
                                      .outputs = {floats({2, 3}, {0, 1, 0, 1, 0, 0})}},
                                 });

}  // namespace
}  // namespace test
