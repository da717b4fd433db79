#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const engine::Tensor image = floats({1, 2, 2, 2}, {0, 1, 4, 9, 16, 25, 36, 49});
// The second box begins above the image.
const engine::Tensor boxes = floats({2, 4}, {0, 0, 1, 0.5F, -0.5F, 0.25F, 0.5F, 0.75F});

const OpCases cropAndResize(
    "com.microsoft", "CropAndResize",
    {
        {.name = "BlendsCornerAligned",
         .attributes = {attribute("extrapolation_value", -1.0)},
         .inputs = {image, boxes, int32s({2}, {0, 0}), int32s({2}, {2, 3})},
         .outputs = {floats({2, 2, 2, 3}, {0,     0.25F, 0.5F,   4,     5.25F, 6.5F,   16,    18.25F,
                                           20.5F, 36,    39.25F, 42.5F, -1,    -1,     -1,    2.75F,
                                           3.5F,  4.25F, -1,     -1,    -1,    28.75F, 31.5F, 34.25F})}},
        {.name = "TakesTheNearest",
         .attributes = {attribute("extrapolation_value", -1.0), attribute("mode", "nearest")},
         .inputs = {image, boxes, int32s({2}, {0, 0}), int32s({2}, {2, 3})},
         .outputs = {floats({2, 2, 2, 3}, {0,  0,  1,  4, 4, 9, 16, 16, 25, 36, 36, 49,
                                           -1, -1, -1, 4, 9, 9, -1, -1, -1, 36, 49, 49})}},
        {.name = "RefusesAnImageThatIsNotThere",
         .inputs = {image, boxes, int32s({2}, {0, 1}), int32s({2}, {2, 3})},
         .error = "batch_indices: found 1, there are 1 images"},
    });

}  // namespace
}  // namespace test
