#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <random>
#include <unordered_set>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/core/name_list.h"
#include "engine/session.h"

namespace engine {
namespace {

/// The dims to make up an input with: given, or declared with symbols bound; what is left open becomes 1.
Dims dimsFor(const Value& value, const Type& type, const InputOptions& options) {
    if (const auto given = options.shapes.find(value.name); given != options.shapes.end())
        return given->second;
    if (!type.shape)
        fail("input '", value.name, "' has no declared rank; give its dims with --shape ", value.name, "=…");
    Dims dims;
    for (const Dim& dim : *type.shape) {
        const Dim bound = dim.bind(options.bindings);
        dims.push_back(bound.isNumber() ? bound.number() : 1);
    }
    return dims;
}

constexpr size_t elementsPerCheckpoint = size_t{1} << 16;

Tensor randomTensor(DataType element, const Dims& dims, std::mt19937_64& random, Observer& observer) {
    Tensor tensor = Tensor::allocate(element, dims);
    std::uniform_real_distribution<float> real(0.0F, 1.0F);
    std::uniform_int_distribution<int> integer(0, 3);
    const std::array<String, 4> words{"s0", "s1", "s2", "s3"};
    dispatchAny(element, [&]<typename T>(std::type_identity<T>) {
        size_t made = 0;
        for (T& value : tensor.mutableValues<T>()) {
            if (made++ % elementsPerCheckpoint == 0) observer.checkpoint();
            if constexpr (std::is_same_v<T, String>) {
                value = words[static_cast<size_t>(integer(random))];
            } else if constexpr (std::is_same_v<T, bool>) {
                value = integer(random) % 2 == 1;
            } else if constexpr (std::is_integral_v<T> || requires(T small) { small.value; }) {
                value = static_cast<T>(integer(random));
            } else {
                value = static_cast<T>(real(random));
            }
        }
    });
    return tensor;
}

/// Whether the name tells of an integer input that says which tokens count: zeros there make a softmax of
/// nothing.
bool isMask(const std::string& name, DataType element) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    return isInteger(element) && lower.find("mask") != std::string::npos;
}

Tensor ones(DataType element, const Dims& dims) {
    Tensor tensor = Tensor::allocate(element, dims);
    dispatchAny(element, [&]<typename T>(std::type_identity<T>) {
        if constexpr (std::is_integral_v<T>) std::ranges::fill(tensor.mutableValues<T>(), T{1});
    });
    return tensor;
}

/// FNV-1a: each input gets a stream of its own, whatever the others are.
uint64_t hash(const std::string& name) {
    uint64_t result = 14695981039346656037U;
    for (const char letter : name) result = (result ^ static_cast<unsigned char>(letter)) * 1099511628211U;
    return result;
}

/// Throws Error for a shape or a size that is of no input.
void checkOptions(const Model& model, const InputOptions& options) {
    std::unordered_set<std::string> inputs;
    for (const ValueId id : model.graph->inputs) inputs.insert(model.graph->value(id).name);
    for (const auto& [input, dims] : options.shapes) {
        if (!inputs.contains(input))
            fail("the model has no input '", input, "' to give the dims ", listText(dims));
    }
    const std::vector<std::string> symbols = model.symbols();
    const std::unordered_set<std::string> known(symbols.begin(), symbols.end());
    for (const auto& [symbol, number] : options.bindings) {
        if (!known.contains(symbol))
            fail("the model's inputs have no symbol '", symbol, "'; they have: ", listNames(symbols));
        if (number < 0) fail("symbol '", symbol, "' cannot be ", number);
    }
}

}  // namespace

std::vector<NamedDatum> completeInputs(const Model& model, std::vector<NamedDatum> given,
                                       const InputOptions& options, Observer& observer) {
    model.checkRunnable();
    std::optional<MemoryLimit> memory;
    if (options.memoryBytes > 0) memory.emplace(options.memoryBytes);
    const TypedGraph& typed = *model.typed;
    checkOptions(model, options);
    std::unordered_set<std::string> names;
    for (const NamedDatum& datum : given) names.insert(datum.name);
    for (const ValueId id : model.graph->inputs) {
        const Value& value = model.graph->value(id);
        if (names.contains(value.name) || value.type.kind == Type::Kind::optional) continue;
        const Type& type = typed.types[id.index];
        if (!type.isTensor() || type.element == DataType::undefined) {
            fail("input '", value.name, "' is of type ", typeText(value.type),
                 ", which cannot be made up; give it a file");
        }
        std::mt19937_64 random(options.seed ^ hash(value.name));
        const Dims dims = dimsFor(value, type, options);
        try {
            given.push_back({value.name, isMask(value.name, type.element)
                                             ? ones(type.element, dims)
                                             : randomTensor(type.element, dims, random, observer)});
        } catch (Error& error) {
            error.addContext(text("input '", value.name, "' cannot be made up"));
            throw;
        }
    }
    return given;
}

}  // namespace engine
