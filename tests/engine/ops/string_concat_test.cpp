#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases stringConcat("StringConcat",
                           {{.name = "AppendsEachElement",
                             .inputs = {strings({3}, {"a", "", "é"}), strings({3}, {"b", "c", "ß"})},
                             .outputs = {strings({3}, {"ab", "c", "éß"})}},
                            {.name = "Broadcasts",
                             .inputs = {strings({2, 1}, {"a", "b"}), strings({2}, {"x", "y"})},
                             .outputs = {strings({2, 2}, {"ax", "ay", "bx", "by"})}},
                            {.name = "TakesScalars",
                             .inputs = {strings({}, {"a"}), strings({}, {"b"})},
                             .outputs = {strings({}, {"ab"})}},
                            {.name = "TakesNoElements",
                             .inputs = {strings({0}, {}), strings({0}, {})},
                             .outputs = {strings({0}, {})}},
                            {.name = "RefusesNumbers",
                             .inputs = {strings({1}, {"a"}), int64s({1}, {1})},
                             .error = "input 1 is of element type int64, input 0 of string"}});

}  // namespace
}  // namespace test
