#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<engine::Attribute> oneHead(std::vector<engine::Attribute> more = {}) {
    more.push_back(attribute("num_heads", 1));
    more.push_back(attribute("kv_num_heads", 1));
    return more;
}

/// One of a batch with two steps more, of which `real` are said to be real, `all` in all.
std::vector<engine::Datum> chunk(int all, engine::Datum real, engine::Datum past, int keys = 2) {
    engine::Datum steps = keys == 2 ? floats({1, 2, 2}, {1, 1, 1, 1}) : floats({1, 0, 2}, {});
    return {floats({1, 2, 2}, {0, 0, 0, 0}),
            steps,
            steps,
            past,
            past,
            int32s({1}, {all - 1}),
            int32s({}, {3}),
            {},
            {},
            {},
            {},
            {},
            {},
            {},
            {},
            {},
            std::move(real)};
}

engine::Datum past() { return floats({1, 1, 3, 2}, {1, 1, 1, 1, 1, 1}); }

const OpCases groupQueryAttentionPadding(
    "com.microsoft", "GroupQueryAttention",
    {{.name = "LeavesOutThePaddingOfChunks",
      .attributes = oneHead(),
      .inputs = {floats({2, 3, 2}, {0, 0, 0, 0, nan, nan, 0, 0, nan, nan, nan, nan}),
                 floats({2, 3, 2}, {5, 5, 6, 6, nan, nan, 7, 7, nan, nan, nan, nan}),
                 floats({2, 3, 2}, {6, 12, 8, 16, nan, nan, 3, 6, nan, nan, nan, nan}),
                 floats({2, 1, 5, 2}, {1,   1,   2,   2,   nan, nan, nan, nan, nan, nan,
                                       nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}),
                 floats({2, 1, 5, 2}, {2,   4,   4,   8,   nan, nan, nan, nan, nan, nan,
                                       nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}),
                 int32s({2}, {3, 0}),
                 int32s({}, {5}),
                 {},
                 {},
                 {},
                 {},
                 {},
                 {},
                 {},
                 {},
                 {},
                 int32s({2}, {2, 1})},
      .outputs = {floats({2, 3, 2}, {4, 8, 5, 10, 0, 0, 3, 6, 0, 0, 0, 0}),
                  floats({2, 1, 5, 2}, {1, 1, 2, 2, 5, 5, 6, 6, 0, 0, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0}),
                  floats({2, 1, 5, 2}, {2, 4, 4, 8, 6, 12, 8, 16, 0, 0, 3, 6, 0, 0, 0, 0, 0, 0, 0, 0})}},
     {.name = "KeepsTheCacheOfWhatIsIdle",
      .attributes = oneHead(),
      .inputs = {floats({1, 1, 2}, {0, 0}),
                 floats({1, 1, 2}, {nan, nan}),
                 floats({1, 1, 2}, {nan, nan}),
                 floats({1, 1, 3, 2}, {1, 2, 3, 4, nan, nan}),
                 floats({1, 1, 3, 2}, {5, 6, 7, 8, nan, nan}),
                 int32s({1}, {1}),
                 int32s({}, {3}),
                 {},
                 {},
                 {},
                 {},
                 {},
                 {},
                 {},
                 {},
                 {},
                 int32s({1}, {0})},
      .outputs = {floats({1, 1, 2}, {0, 0}), floats({1, 1, 3, 2}, {1, 2, 3, 4, 0, 0}),
                  floats({1, 1, 3, 2}, {5, 6, 7, 8, 0, 0})}},
     {.name = "RefusesMoreRealStepsThanThereAre",
      .attributes = oneHead(),
      .inputs = chunk(3, int32s({1}, {3}), past()),
      .error = "query_seqlens: found 3, expected 0 to 2"},
     {.name = "RefusesMoreRealStepsThanThereAreInAll",
      .attributes = oneHead(),
      .inputs = chunk(1, int32s({1}, {2}), past()),
      .error = "query_seqlens: found 2, expected 0 to 1"},
     {.name = "RefusesLessThanNoStep",
      .attributes = oneHead(),
      .inputs = chunk(3, int32s({1}, {-1}), past()),
      .error = "query_seqlens: found -1, expected 0 to 2"},
     {.name = "RefusesToPadAnEmptySequence",
      .attributes = oneHead(),
      .inputs = chunk(0, int32s({1}, {0}), past()),
      .error = "seqlens_k: found -1, expected 0 to 2"},
     {.name = "RefusesPaddingThatHasNoRoom",
      .attributes = oneHead(),
      .inputs = chunk(3, int32s({1}, {1}), past()),
      .error = "past_key: found room for 3 steps, expected 2 and a whole chunk of 2"},
     {.name = "RefusesPaddingOfOthers",
      .attributes = oneHead(),
      .inputs = chunk(2, int32s({2}, {1, 1}), past()),
      .error = "query_seqlens: found shape [2], expected [1]"},
     {.name = "RefusesPaddingWithoutAPast",
      .attributes = oneHead(),
      .inputs = chunk(2, int32s({1}, {1}), {}),
      .error = "query_seqlens: found no past, expected one"},
     {.name = "RefusesPaddingWithoutKeys",
      .attributes = oneHead(),
      .inputs = chunk(2, int32s({1}, {1}), past(), 0),
      .error = "query_seqlens: found 0 keys, expected 2"},
     {.name = "RefusesPaddingWhereLaterStepsAreSeen",
      .attributes = oneHead({attribute("causal", 0)}),
      .inputs = chunk(2, int32s({1}, {1}), past()),
      .error = "query_seqlens: found causal 0, expected 1"}});

}  // namespace
}  // namespace test
