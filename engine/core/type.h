#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/core/data_type.h"
#include "engine/core/dim.h"

namespace engine {

/// ONNX's TypeProto: what a value holds. A tensor's rank may be unknown (no shape), and each dim may be.
struct Type {
    enum class Kind : uint8_t { unknown, tensor, sparseTensor, sequence, optional, map };

    Kind kind = Kind::unknown;
    DataType element =
        DataType::undefined;             ///< of tensors; of a map's values if those are tensors see `inner`
    std::optional<Shape> shape = {};     ///< of tensors; nothing: rank unknown
    DataType key = DataType::undefined;  ///< of a map
    std::shared_ptr<const Type> inner = {};  ///< element of a sequence or an optional, value of a map

    bool isTensor() const { return kind == Kind::tensor; }
    bool hasStaticShape() const { return shape && numbers(*shape).has_value(); }

    static Type tensor(DataType element) { return {.kind = Kind::tensor, .element = element}; }
    static Type tensor(DataType element, Shape shape) {
        return {.kind = Kind::tensor, .element = element, .shape = std::move(shape)};
    }
    static Type sequence(Type element);
    static Type optional(Type element);
};

/// "float[batch, 3, 224, 224]", "float" when the rank is unknown, "seq(int64[n])", "map(int64, float)".
std::string typeText(const Type& type);

/// The type with bound symbols replaced, inside sequences and optionals too.
Type boundType(const Type& type, const Bindings& bindings);

}  // namespace engine
