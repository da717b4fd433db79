#include "engine/core/type.h"

#include "engine/core/text.h"

namespace engine {

Type Type::sequence(Type element) {
    return {.kind = Kind::sequence, .inner = std::make_shared<const Type>(std::move(element))};
}

Type Type::optional(Type element) {
    return {.kind = Kind::optional, .inner = std::make_shared<const Type>(std::move(element))};
}

std::string typeText(const Type& type) {
    const std::string inner = type.inner ? typeText(*type.inner) : "?";
    switch (type.kind) {
        case Type::Kind::unknown:
            return "?";
        case Type::Kind::tensor:
            return text(name(type.element), type.shape ? shapeText(*type.shape) : "");
        case Type::Kind::sparseTensor:
            return text("sparse(", name(type.element), type.shape ? shapeText(*type.shape) : "", ")");
        case Type::Kind::sequence:
            return "seq(" + inner + ")";
        case Type::Kind::optional:
            return "optional(" + inner + ")";
        case Type::Kind::map:
            return text("map(", name(type.key), ", ", inner, ")");
    }
    return "?";
}

Type boundType(const Type& type, const Bindings& bindings) {
    Type bound = type;
    if (bound.shape) {
        for (Dim& dim : *bound.shape) dim = dim.bind(bindings);
    }
    if (bound.inner) bound.inner = std::make_shared<const Type>(boundType(*bound.inner, bindings));
    return bound;
}

}  // namespace engine
