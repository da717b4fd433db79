#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases depthToSpace(
    "DepthToSpace",
    {{.name = "CountsChannelsBlockByBlockByDefault",
      .attributes = {attribute("blocksize", 2)},
      .inputs = {floats({1, 8, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})},
      .outputs = {floats({1, 2, 2, 4}, {0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15})}},
     {.name = "CountsBlocksChannelByChannelIfTold",
      .attributes = {attribute("blocksize", 2), attribute("mode", "CRD")},
      .inputs = {floats({1, 8, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})},
      .outputs = {floats({1, 2, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15})}},
     {.name = "HasNoModeInOldOpsets",
      .version = 1,
      .attributes = {attribute("blocksize", 2)},
      .inputs = {floats({1, 4, 1, 1}, {0, 1, 2, 3})},
      .outputs = {floats({1, 1, 2, 2}, {0, 1, 2, 3})}},
     {.name = "TakesNoPixels",
      .attributes = {attribute("blocksize", 2)},
      .inputs = {floats({1, 4, 0, 2}, {})},
      .outputs = {floats({1, 1, 0, 4}, {})}},
     {.name = "RefusesChannelsThatBlocksDoNotDivide",
      .attributes = {attribute("blocksize", 3)},
      .inputs = {floats({1, 8, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})},
      .error = "channels: found 8, expected a multiple of 9"},
     {.name = "RefusesABlockOfNoSize",
      .attributes = {attribute("blocksize", 0)},
      .inputs = {floats({1, 8, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})},
      .error = "blocksize: found 0"},
     {.name = "RefusesAnUnknownMode",
      .attributes = {attribute("blocksize", 2), attribute("mode", "X")},
      .inputs = {floats({1, 8, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})},
      .error = "attribute 'mode' is 'X'"}});

const OpCases spaceToDepth(
    "SpaceToDepth",
    {{.name = "CountsChannelsBlockByBlockByDefault",
      .attributes = {attribute("blocksize", 2)},
      .inputs = {floats({1, 2, 2, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})},
      .outputs = {floats({1, 8, 1, 2}, {0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15})}},
     {.name = "CountsBlocksChannelByChannelIfTold",
      .attributes = {attribute("blocksize", 2), attribute("mode", "CRD")},
      .inputs = {floats({1, 2, 2, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})},
      .outputs = {floats({1, 8, 1, 2}, {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15})}},
     {.name = "TakesStrings",
      .attributes = {attribute("blocksize", 1)},
      .inputs = {strings({1, 1, 1, 1}, {"a"})},
      .outputs = {strings({1, 1, 1, 1}, {"a"})}},
     {.name = "RefusesAHeightThatBlocksDoNotDivide",
      .attributes = {attribute("blocksize", 4)},
      .inputs = {floats({1, 2, 2, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})},
      .error = "height: found 2, expected a multiple of 4"}});

}  // namespace
}  // namespace test
