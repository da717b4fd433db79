#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

const OpCases nGramRepeatBlock("com.microsoft", "NGramRepeatBlock",
                               {
                                   {.name = "ForbidsWhatWouldRepeat",
                                    .attributes = {attribute("ngram_size", 3)},
                                    .inputs = {int64s({1, 5}, {1, 2, 3, 1, 2}),
                                               floats({1, 5}, {0, 1, 2, 3, 4})},
                                    .outputs = {floats({1, 5}, {0, 1, 2, never, 4})}},
                                   {.name = "LeavesShortTextsAlone",
                                    .attributes = {attribute("ngram_size", 3)},
                                    .inputs = {int64s({1, 2}, {1, 1}), floats({1, 2}, {0, 1})},
                                    .outputs = {floats({1, 2}, {0, 1})}},
                                   {.name = "RefusesATokenBeyondTheScores",
                                    .attributes = {attribute("ngram_size", 1)},
                                    .inputs = {int64s({1, 1}, {7}), floats({1, 2}, {0, 1})},
                                    .error = "input_ids: found token 7, scores has 2"},
                               });

}  // namespace
}  // namespace test
