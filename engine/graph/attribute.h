#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/datum.h"

namespace engine {

struct Graph;

/// What an attribute holds; every kind of ONNX's AttributeProto. The empty alternative: none, or a kind we do
/// not know.
using AttributeValue =
    std::variant<std::monostate, int64_t, float, std::string, Tensor, SparseTensor,
                 std::shared_ptr<const Graph>, Type, std::vector<int64_t>, std::vector<float>,
                 std::vector<std::string>, std::vector<Tensor>, std::vector<SparseTensor>,
                 std::vector<std::shared_ptr<const Graph>>, std::vector<Type>>;

struct Attribute {
    std::string name = {};
    AttributeValue value = {};
    std::string reference =
        {};  ///< inside a function body: the function's attribute that this one stands for
    std::string documentation = {};
};

/// ONNX's word for what the attribute holds: "int", "floats", "graph", …
std::string kindText(const AttributeValue& value);

}  // namespace engine
