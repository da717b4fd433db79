#include "views/graph/spatial_index.h"

#include <random>

#include <gtest/gtest.h>

namespace views {
namespace {

TEST(SpatialIndex, FindsWhatALookAtAllFinds) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(-3000, 3000);
    std::uniform_real_distribution<double> size(1, 900);
    std::vector<QRectF> rects(300);
    for (size_t index = 0; index < rects.size(); ++index) {
        if (index % 10 != 0) rects[index] = QRectF(place(random), place(random), size(random), size(random));
    }
    const SpatialIndex index(rects);
    for (int round = 0; round < 100; ++round) {
        const QRectF area(place(random), place(random), size(random), size(random));
        std::vector<int> expected;
        for (size_t at = 0; at < rects.size(); ++at) {
            if (!rects[at].isNull() && rects[at].intersects(area)) expected.push_back(static_cast<int>(at));
        }
        EXPECT_EQ(index.query(area), expected);
    }
}

TEST(SpatialIndex, OfNothingFindsNothing) {
    EXPECT_TRUE(SpatialIndex().query({0, 0, 10, 10}).empty());
    EXPECT_TRUE(SpatialIndex({QRectF(), QRectF()}).query({0, 0, 10, 10}).empty());
}

}  // namespace
}  // namespace views
