#include "engine/core/datum.h"

#include "engine/core/error.h"

namespace engine {

Datum::Datum(Sequence sequence) : content_(std::make_shared<const Sequence>(std::move(sequence))) {}
Datum::Datum(SparseTensor tensor) : content_(std::make_shared<const SparseTensor>(std::move(tensor))) {}
Datum::Datum(Map map) : content_(std::make_shared<const Map>(std::move(map))) {}

bool Datum::isSequence() const { return std::holds_alternative<std::shared_ptr<const Sequence>>(content_); }
bool Datum::isSparse() const { return std::holds_alternative<std::shared_ptr<const SparseTensor>>(content_); }
bool Datum::isMap() const { return std::holds_alternative<std::shared_ptr<const Map>>(content_); }

namespace {

[[noreturn]] void failOther(const char* wanted, const Datum& datum) {
    fail("expected a ", wanted, ", found ",
         datum.isEmpty() ? "nothing (an absent optional)" : typeText(datum.type()));
}

}  // namespace

const Tensor& Datum::tensor() const {
    const auto* tensor = std::get_if<Tensor>(&content_);
    if (tensor == nullptr) failOther("tensor", *this);
    return *tensor;
}

Tensor& Datum::tensor() {
    auto* tensor = std::get_if<Tensor>(&content_);
    if (tensor == nullptr) failOther("tensor", *this);
    return *tensor;
}

const Sequence& Datum::sequence() const {
    if (!isSequence()) failOther("sequence", *this);
    return *std::get<std::shared_ptr<const Sequence>>(content_);
}

const SparseTensor& Datum::sparse() const {
    if (!isSparse()) failOther("sparse tensor", *this);
    return *std::get<std::shared_ptr<const SparseTensor>>(content_);
}

const Map& Datum::map() const {
    if (!isMap()) failOther("map", *this);
    return *std::get<std::shared_ptr<const Map>>(content_);
}

Type Datum::type() const {
    if (isTensor()) return Type::tensor(tensor().type(), shapeOf(tensor().dims()));
    if (isSequence()) return Type::sequence(sequence().element);
    if (isSparse()) {
        Type type = Type::tensor(sparse().values.type(), shapeOf(sparse().dims));
        type.kind = Type::Kind::sparseTensor;
        return type;
    }
    if (isMap()) {
        return {.kind = Type::Kind::map,
                .key = map().keys.type(),
                .inner = std::make_shared<const Type>(Type::tensor(map().values.type(), Shape{}))};
    }
    return {};
}

}  // namespace engine
