#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases compress("Compress",
                       {{.name = "KeepsRows",
                         .attributes = {attribute("axis", 0)},
                         .inputs = {floats({3, 2}, {1, 2, 3, 4, 5, 6}), bools({3}, {false, true, true})},
                         .outputs = {floats({2, 2}, {3, 4, 5, 6})}},
                        {.name = "KeepsColumnsCountedFromTheBack",
                         .attributes = {attribute("axis", -1)},
                         .inputs = {floats({3, 2}, {1, 2, 3, 4, 5, 6}), bools({2}, {false, true})},
                         .outputs = {floats({3, 1}, {2, 4, 6})}},
                        {.name = "FlattensWithoutAnAxis",
                         .inputs = {floats({3, 2}, {1, 2, 3, 4, 5, 6}),
                                    bools({5}, {false, true, false, false, true})},
                         .outputs = {floats({2}, {2, 5})}},
                        {.name = "IgnoresWhatTheConditionDoesNotReach",
                         .attributes = {attribute("axis", 0)},
                         .inputs = {floats({3, 2}, {1, 2, 3, 4, 5, 6}), bools({1}, {true})},
                         .outputs = {floats({1, 2}, {1, 2})}},
                        {.name = "MayKeepNothing",
                         .attributes = {attribute("axis", 1)},
                         .inputs = {floats({3, 2}, {1, 2, 3, 4, 5, 6}), bools({2}, {false, false})},
                         .outputs = {floats({3, 0}, {})}},
                        {.name = "TakesStrings",
                         .inputs = {strings({2}, {"a", "b"}), bools({2}, {false, true})},
                         .outputs = {strings({1}, {"b"})}},
                        {.name = "TakesHalves",
                         .attributes = {attribute("axis", 0)},
                         .inputs = {numbers<engine::Float16>({2}, {1, 2}), bools({2}, {true, false})},
                         .outputs = {numbers<engine::Float16>({1}, {1})}},
                        {.name = "RefusesAConditionOfNumbers",
                         .inputs = {floats({3, 2}, {1, 2, 3, 4, 5, 6}), int64s({2}, {1, 0})},
                         .error = "condition: found elements of type int64, expected bool"},
                        {.name = "RefusesAnAxisOutOfRange",
                         .attributes = {attribute("axis", 2)},
                         .inputs = {floats({3, 2}, {1, 2, 3, 4, 5, 6}), bools({1}, {true})},
                         .error = "axis 2 is out of range"}});

}  // namespace
}  // namespace test
