#include <cmath>
#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Float16;

constexpr float none = -std::numeric_limits<float>::infinity();
const float three = std::log(3.0F);

std::vector<engine::Attribute> twoHeads(std::vector<engine::Attribute> more = {}) {
    more.push_back(attribute("num_heads", 2));
    more.push_back(attribute("kv_num_heads", 1));
    return more;
}

/// Two steps with scores of 0: without sinks the first gives [12, 60], the second [18, 30], in each of two
/// heads.
template <class T = float>
std::vector<engine::Datum> prompt(engine::Datum sinks = {}, engine::Datum bias = {}) {
    return {numbers<T>({1, 2, 4}, {0, 0, 0, 0, 0, 0, 0, 0}),
            numbers<T>({1, 2, 2}, {1, 2, 3, 4}),
            numbers<T>({1, 2, 2}, {12, 60, 24, 0}),
            {},
            {},
            int32s({1}, {1}),
            int32s({}, {2}),
            {},
            {},
            {},
            std::move(bias),
            std::move(sinks)};
}

const OpCases groupQueryAttentionSink(
    "com.microsoft", "GroupQueryAttention",
    {{.name = "SmoothsBySinksOfZero",
      .attributes = twoHeads({attribute("smooth_softmax", 1)}),
      .inputs = prompt(),
      .outputs = {floats({1, 2, 4}, {6, 30, 6, 30, 12, 20, 12, 20})}},
     {.name = "SmoothsWhereAskedAlone",
      .attributes = twoHeads({attribute("smooth_softmax", 2)}),
      .inputs = prompt(),
      .outputs = {floats({1, 2, 4}, {12, 60, 12, 60, 18, 30, 18, 30})}},
     {.name = "GivesEachHeadItsSink",
      .attributes = twoHeads(),
      .inputs = prompt(floats({2}, {three, none})),
      .outputs = {floats({1, 2, 4}, {3, 15, 12, 60, 7.2F, 12, 18, 30})}},
     {.name = "TakesSinksForThoseOfZero",
      .attributes = twoHeads({attribute("smooth_softmax", 1)}),
      .inputs = prompt(floats({2}, {three, none})),
      .outputs = {floats({1, 2, 4}, {3, 15, 12, 60, 7.2F, 12, 18, 30})}},
     {.name = "TakesSinksOfHalfPrecision",
      .attributes = twoHeads(),
      .inputs = prompt<Float16>(numbers<Float16>({2}, {0, none})),
      .outputs = {numbers<Float16>({1, 2, 4}, {6, 30, 12, 60, 12, 20, 18, 30})}},
     // With scores of log 2, the sink is 3 to their 2.
     {.name = "CapsAndBiasesNoSink",
      .attributes = twoHeads({attribute("softcap", 0.5), attribute("scale", 9.0)}),
      .inputs = prompt(floats({2}, {three, none}), floats({1, 1, 1, 1}, {std::log(2.0F)})),
      .outputs = {floats({1, 2, 4}, {4.8F, 24, 12, 60, 72.0F / 7, 120.0F / 7, 18, 30})}},
     {.name = "KeepsApartSinksFarFromTheScores",
      .attributes = twoHeads(),
      .inputs = prompt(floats({2}, {1e30F, -1e30F})),
      .outputs = {floats({1, 2, 4}, {0, 0, 12, 60, 0, 0, 18, 30})}},
     {.name = "LeavesHiddenKeysToTheSink",
      .attributes = twoHeads(),
      .inputs = prompt(floats({2}, {0, none}), floats({1, 1, 1, 1}, {none})),
      .outputs = {floats({1, 2, 4}, {0, 0, 0, 0, 0, 0, 0, 0})}},
     {.name = "RefusesSinksOfOtherHeads",
      .attributes = twoHeads(),
      .inputs = prompt(floats({3}, {1, 2, 3})),
      .error = "head_sink: found shape [3], expected [2]"},
     {.name = "RefusesSinksInRows",
      .attributes = twoHeads(),
      .inputs = prompt(floats({1, 2}, {1, 2})),
      .error = "head_sink: found shape [1, 2], expected [2]"}});

}  // namespace
}  // namespace test
