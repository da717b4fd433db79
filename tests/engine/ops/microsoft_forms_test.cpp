#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases pad("com.microsoft", "Pad",
                  {{.name = "IsOnnxs",
                    .version = 1,
                    .inputs = {floats({2, 3}, {1, 2, 3, 4, 5, 6}), int64s({4}, {0, 1, 1, 0})},
                    .outputs = {floats({3, 4}, {0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0})}},
                   {.name = "HasModes",
                    .version = 1,
                    .attributes = {attribute("mode", "reflect")},
                    .inputs = {floats({2, 3}, {1, 2, 3, 4, 5, 6}), int64s({4}, {0, 1, 0, 1})},
                    .outputs = {floats({2, 5}, {2, 1, 2, 3, 2, 5, 4, 5, 6, 5})}}});

const OpCases trilu("com.microsoft", "Trilu",
                    {{.name = "IsOnnxs",
                      .version = 1,
                      .attributes = {attribute("upper", 0)},
                      .inputs = {floats({2, 3}, {1, 2, 3, 4, 5, 6})},
                      .outputs = {floats({2, 3}, {1, 0, 0, 4, 5, 0})}}});

}  // namespace
}  // namespace test
