#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/core/tensor.h"

namespace engine {
namespace {

TEST(DeferredTensor, IsMadeOnceWhenItsDataIsFirstAskedFor) {
    int made = 0;
    const Tensor tensor = Tensor::deferred(DataType::float32, {2}, [&] {
        ++made;
        return Tensor::of<float>({2}, {1, 2});
    });
    const Tensor reshaped = tensor.reshaped({1, 2});
    EXPECT_EQ(tensor.elements(), 2);
    EXPECT_EQ(made, 0);
    EXPECT_EQ(tensor.values<float>()[1], 2);
    EXPECT_EQ(reshaped.values<float>()[0], 1);
    EXPECT_EQ(made, 1);
}

TEST(DeferredTensor, TriesAgainAfterAFailure) {
    int calls = 0;
    const Tensor tensor = Tensor::deferred(DataType::int64, {1}, [&]() -> Tensor {
        if (++calls == 1) fail("no memory just now");
        return Tensor::of<int64_t>({1}, {7});
    });
    EXPECT_THROW(tensor.data(), Error);
    EXPECT_EQ(tensor.toInt64(), std::vector<int64_t>{7});
}

TEST(DeferredTensor, RefusesWhatIsNotOfItsType) {
    const Tensor tensor = Tensor::deferred(DataType::int64, {1}, [] { return Tensor::of<float>({1}, {7}); });
    EXPECT_THROW(tensor.data(), Error);
}

}  // namespace
}  // namespace engine
