#include "tests/support/tensors.h"

namespace test {

engine::Datum sequence(std::vector<engine::Tensor> items) {
    engine::Sequence result{.element = engine::Type::tensor(items.at(0).type()), .items = {}};
    for (engine::Tensor& item : items) result.items.emplace_back(std::move(item));
    return result;
}

engine::Datum emptySequence(engine::Type element) {
    return engine::Sequence{.element = std::move(element), .items = {}};
}

}  // namespace test
