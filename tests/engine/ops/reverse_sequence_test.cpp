#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases reverseSequence(
    "ReverseSequence", {{.name = "ReversesTimeStepsOfEachBatch",
                         .inputs = {floats({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), int64s({2}, {4, 2})},
                         .outputs = {floats({4, 2}, {6, 3, 4, 1, 2, 5, 0, 7})}},
                        {.name = "HasTheBatchFirstIfTold",
                         .attributes = {attribute("batch_axis", 0), attribute("time_axis", 1)},
                         .inputs = {floats({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), int64s({4}, {1, 2, 1, 2})},
                         .outputs = {floats({4, 2}, {0, 1, 3, 2, 4, 5, 7, 6})}},
                        {.name = "LeavesSequencesOfNoLength",
                         .inputs = {floats({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), int64s({2}, {0, 3})},
                         .outputs = {floats({4, 2}, {0, 5, 2, 3, 4, 1, 6, 7})}},
                        {.name = "MovesWholeSlices",
                         .inputs = {floats({2, 1, 3}, {0, 1, 2, 3, 4, 5}), int64s({1}, {2})},
                         .outputs = {floats({2, 1, 3}, {3, 4, 5, 0, 1, 2})}},
                        {.name = "TakesStrings",
                         .inputs = {strings({2, 1}, {"a", "b"}), int64s({1}, {2})},
                         .outputs = {strings({2, 1}, {"b", "a"})}},
                        {.name = "RefusesALengthBeyondTheSteps",
                         .inputs = {floats({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), int64s({2}, {5, 1})},
                         .error = "sequence_lens: found 5, expected 0 to 4"},
                        {.name = "RefusesAnotherNumberOfLengths",
                         .inputs = {floats({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), int64s({1}, {1})},
                         .error = "batch size of input and number of sequence_lens"},
                        {.name = "RefusesTheSameAxisTwice",
                         .attributes = {attribute("batch_axis", 1), attribute("time_axis", 1)},
                         .inputs = {floats({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), int64s({2}, {1, 1})},
                         .error = "found batch_axis 1 and time_axis 1"}});

}  // namespace
}  // namespace test
