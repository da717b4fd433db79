#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases stringSplit("StringSplit",
                          {{.name = "SplitsAtADelimiter",
                            .attributes = {attribute("delimiter", ".")},
                            .inputs = {strings({3}, {"a.com", "b.c.d", ""})},
                            .outputs = {strings({3, 3}, {"a", "com", "", "b", "c", "d", "", "", ""}),
                                        int64s({3}, {2, 3, 1})}},
                           {.name = "SplitsAtRunsOfSpaceByDefault",
                            .inputs = {strings({2}, {" a  b	c ", ""})},
                            .outputs = {strings({2, 3}, {"a", "b", "c", "", "", ""}), int64s({2}, {3, 0})}},
                           {.name = "TreatsAnEmptyDelimiterAsSpace",
                            .attributes = {attribute("delimiter", "")},
                            .inputs = {strings({1}, {"a b"})},
                            .outputs = {strings({1, 2}, {"a", "b"}), int64s({1}, {2})}},
                           {.name = "SplitsAtMostAsOftenAsTold",
                            .attributes = {attribute("delimiter", "-"), attribute("maxsplit", 1)},
                            .inputs = {strings({2}, {"a-b-c", "d"})},
                            .outputs = {strings({2, 2}, {"a", "b-c", "d", ""}), int64s({2}, {2, 1})}},
                           {.name = "LeavesTheRestAfterSpaces",
                            .attributes = {attribute("maxsplit", 1)},
                            .inputs = {strings({2}, {"a  b c ", "d"})},
                            .outputs = {strings({2, 2}, {"a", "b c", "d", ""}), int64s({2}, {2, 1})}},
                           {.name = "KeepsEmptyPartsBetweenDelimiters",
                            .attributes = {attribute("delimiter", "--")},
                            .inputs = {strings({1}, {"a----b"})},
                            .outputs = {strings({1, 3}, {"a", "", "b"}), int64s({1}, {3})}},
                           {.name = "SplitsNotAtAll",
                            .attributes = {attribute("delimiter", "-"), attribute("maxsplit", 0)},
                            .inputs = {strings({1}, {"a-b"})},
                            .outputs = {strings({1, 1}, {"a-b"}), int64s({1}, {1})}},
                           {.name = "TakesNoElements",
                            .inputs = {strings({0}, {})},
                            .outputs = {strings({0, 0}, {}), int64s({0}, {})}},
                           {.name = "TakesAMatrix",
                            .attributes = {attribute("delimiter", ",")},
                            .inputs = {strings({2, 1}, {"a,b", "c"})},
                            .outputs = {strings({2, 1, 2}, {"a", "b", "c", ""}), int64s({2, 1}, {2, 1})}},
                           {.name = "RefusesNumbers",
                            .inputs = {int64s({1}, {1})},
                            .error = "X: found elements of type int64, expected string"}});

}  // namespace
}  // namespace test
