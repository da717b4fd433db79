#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/core/datum.h"
#include "engine/graph/attribute.h"

namespace test {

/// Of the default domain; cases that name no version are written for it.
constexpr int newestOpset = 28;

/// One use of an operator with what must come of it. Runs on every provider, and inference is held to the
/// outputs too: with all known, with dims as symbols, and with shape arithmetic as symbols.
struct OpCase {
    const char* name;  ///< what it shows, as a sentence: "KeepsAnEmptyTensorEmpty"
    int version = 0;   ///< opset of the operator's domain; 0: the newest
    std::vector<engine::Attribute> attributes = {};
    std::vector<engine::Datum> inputs = {};   ///< empty: omitted
    std::vector<engine::Datum> outputs = {};  ///< empty: not asked for
    std::string error = {};                   ///< no outputs, but an Error whose message contains this
    /// Further claims on the outputs, for results that no literal can state. Fails by gtest's assertions.
    std::function<void(const std::vector<engine::Datum>& outputs)> check = {};
};

/// The cases of one operator. Defined once at namespace scope in tests/engine/ops/<operator>_test.cpp:
///     const OpCases relu("Relu", {
///         {.name = "ZeroesNegativeNumbers",
///          .inputs = {floats({3}, {-1, 0, 2})},
///          .outputs = {floats({3}, {0, 0, 2})}},
///     });
/// Each becomes the gtest cases Relu/evaluate.ZeroesNegativeNumbers (kernel and inference alone) and
/// Relu/<provider>.ZeroesNegativeNumbers (in sessions) of each provider that has a kernel for the operator;
/// where it does not take the node, the test prints its reason.
class OpCases {
public:
    OpCases(const std::string& op, std::vector<OpCase> cases);
    OpCases(const std::string& domain, const std::string& op, std::vector<OpCase> cases);
};

/// All cases there are, with their operator: for the test that none lacks one, and for benchmarks.
struct RegisteredCase {
    std::string domain;
    std::string op;
    int version;
    OpCase content;
};
const std::deque<RegisteredCase>& allOpCases();

inline engine::Attribute attribute(const std::string& name, engine::AttributeValue value) {
    return {.name = name, .value = std::move(value)};
}
inline engine::Attribute attribute(const std::string& name, int value) {
    return {.name = name, .value = int64_t{value}};
}
inline engine::Attribute attribute(const std::string& name, double value) {
    return {.name = name, .value = static_cast<float>(value)};
}
inline engine::Attribute attribute(const std::string& name, const char* value) {
    return {.name = name, .value = std::string(value)};
}
inline engine::Attribute integersAttribute(const std::string& name, std::vector<int64_t> values) {
    return {.name = name, .value = std::move(values)};
}
inline engine::Attribute numbersAttribute(const std::string& name, std::vector<float> values) {
    return {.name = name, .value = std::move(values)};
}
inline engine::Attribute stringsAttribute(const std::string& name, std::vector<std::string> values) {
    return {.name = name, .value = std::move(values)};
}

}  // namespace test
