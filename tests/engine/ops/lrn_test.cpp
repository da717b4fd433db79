#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases lrn("LRN",
                  {
                      {.name = "NormalizesAcrossChannels",
                       .attributes = {attribute("size", 3), attribute("alpha", 0.5), attribute("beta", 0.5),
                                      attribute("bias", 2.0)},
                       .inputs = {floats({1, 4, 2, 1}, {-0.25F, 1.75F, 1, 1.5F, -1.25F, -0.25F, 1.75F, 1})},
                       .outputs = {floats({1, 4, 2, 1}, {-0.16943476F, 1.0302291F, 0.6405126F, 0.88146377F,
                                                         -0.7293249F, -0.15649214F, 1.051315F, 0.677739F})}},
                      {.name = "LooksFurtherAheadForEvenSizes",
                       .attributes = {attribute("size", 2), attribute("alpha", 1.0)},
                       .inputs = {floats({1, 4, 1, 2}, {-1.25F, 1.5F, 1.25F, -1.5F, -1.75F, -1, 0, -1.5F})},
                       .outputs = {floats({1, 4, 1, 2}, {-0.61718035F, 0.6196961F, 0.5090883F, -0.7273514F,
                                                         -0.87204075F, -0.48490092F, 0, -0.85225993F})}},
                      {.name = "RefusesAnEmptyWindow",
                       .attributes = {attribute("size", 0)},
                       .inputs = {floats({1, 1, 1, 1}, {-2})},
                       .error = "size: found 0"},
                  });

}  // namespace
}  // namespace test
