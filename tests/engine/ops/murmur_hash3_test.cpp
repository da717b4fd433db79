#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases murmurHash3("com.microsoft", "MurmurHash3",
                          {
                              {.name = "HashesNumbers",
                               .attributes = {attribute("seed", 7), attribute("positive", 0)},
                               .inputs = {int32s({3}, {0, 1, -5})},
                               .outputs = {int32s({3}, {-1729787003, -519818889, -23208913})}},
                              {.name = "HashesTexts",
                               .inputs = {strings({3}, {"", "hello", "abc d"})},
                               .outputs = {numbers<uint32_t>({3}, {0, 613153351, 1501608674})}},
                          });

}  // namespace
}  // namespace test
