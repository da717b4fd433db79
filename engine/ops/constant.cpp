#include <array>

#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

struct Attributes {
    Datum value;
};

Tensor listTensor(const std::vector<std::string>& values) {
    return Tensor::ofStrings({static_cast<int64_t>(values.size())}, values);
}
template <class T>
Tensor listTensor(const std::vector<T>& values) {
    return Tensor::of<T>({static_cast<int64_t>(values.size())}, std::span<const T>(values));
}

/// The tensor that one of the attributes describes; an empty datum for an attribute of another name.
Datum valueOf(const Attribute& attribute) {
    if (const auto* tensor = std::get_if<Tensor>(&attribute.value)) return *tensor;
    if (const auto* sparse = std::get_if<SparseTensor>(&attribute.value)) return *sparse;
    if (const auto* number = std::get_if<float>(&attribute.value)) return Tensor::scalar(*number);
    if (const auto* integer = std::get_if<int64_t>(&attribute.value)) return Tensor::scalar(*integer);
    if (const auto* word = std::get_if<std::string>(&attribute.value))
        return Tensor::ofStrings({}, {word, 1});
    if (const auto* numbers = std::get_if<std::vector<float>>(&attribute.value)) return listTensor(*numbers);
    if (const auto* integers = std::get_if<std::vector<int64_t>>(&attribute.value))
        return listTensor(*integers);
    if (const auto* words = std::get_if<std::vector<std::string>>(&attribute.value))
        return listTensor(*words);
    return {};
}

Attributes parse(const AttributeReader& reader) {
    static constexpr std::array names{"value",     "sparse_value", "value_float",  "value_floats",
                                      "value_int", "value_ints",   "value_string", "value_strings"};
    Attributes attributes;
    int found = 0;
    for (const char* name : names) {
        const Attribute* attribute = reader.node().attribute(name);
        if (attribute == nullptr) continue;
        attributes.value = valueOf(*attribute);
        ++found;
    }
    if (found != 1 || attributes.value.isEmpty()) {
        fail("exactly one attribute must hold the constant, found ", found,
             " of value, sparse_value, value_float, …");
    }
    return attributes;
}

void infer(InferContext& context) { context.setOutput(0, context.attributes<Attributes>().value.type()); }

void reference(KernelContext& context) { context.setOutput(0, context.attributes<Attributes>().value); }

const OpDef constant{
    .name = "Constant",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{constant};

}  // namespace
}  // namespace engine
