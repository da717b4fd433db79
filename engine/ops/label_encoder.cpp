// LabelEncoder and CategoryMapper of ai.onnx.ml: look elements up in a list of keys and give what stands at
// the same place of a list of values.

#include <cmath>
#include <map>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

/// Keys with the places they stand at. NaN is a key like others.
class Places {
public:
    Places() = default;
    explicit Places(const Tensor& keys) {
        const auto count = static_cast<size_t>(keys.elements());
        if (keys.type() == DataType::string) {
            for (size_t i = 0; i < count; ++i) strings_.emplace(keys.values<String>()[i], i);
        } else if (isInteger(keys.type())) {
            const std::vector<int64_t> values = keys.toInt64();
            for (size_t i = 0; i < count; ++i) integers_.emplace(values[i], i);
        } else {
            const std::vector<double> values = keys.toDouble();
            for (size_t i = 0; i < count; ++i) {
                if (!std::isnan(values[i])) numbers_.emplace(values[i], i);
                if (std::isnan(values[i]) && !nan_) nan_ = i;
            }
        }
    }

    std::optional<size_t> find(const String& key) const { return findIn(strings_, key); }
    std::optional<size_t> find(int64_t key) const { return findIn(integers_, key); }
    std::optional<size_t> find(double key) const { return std::isnan(key) ? nan_ : findIn(numbers_, key); }

private:
    template <class Key>
    static std::optional<size_t> findIn(const std::map<Key, size_t>& places, const Key& key) {
        const auto found = places.find(key);
        return found == places.end() ? std::nullopt : std::optional(found->second);
    }

    std::map<String, size_t> strings_;
    std::map<int64_t, size_t> integers_;
    std::map<double, size_t> numbers_;
    std::optional<size_t> nan_;
};

struct Table {
    DataType key = DataType::undefined;
    Places places = {};
    Tensor values = {};
    Tensor fallback = {};  ///< one element, for what is no key
};

Table tableOf(const Tensor& keys, Tensor values, Tensor fallback) {
    if (keys.elements() != values.elements()) {
        fail("found ", keys.elements(), " keys and ", values.elements(), " values, expected as many");
    }
    if (fallback.type() != values.type() || fallback.elements() != 1) {
        fail("the default is ", fallback.type(), listText(fallback.dims()), ", expected one ", values.type());
    }
    return {.key = keys.type(),
            .places = Places(keys),
            .values = std::move(values),
            .fallback = std::move(fallback)};
}

Tensor listOf(const std::vector<std::string>& values) {
    return Tensor::ofStrings({static_cast<int64_t>(values.size())}, values);
}
template <class T>
Tensor listOf(const std::vector<T>& values) {
    return Tensor::of<T>({static_cast<int64_t>(values.size())}, values);
}

void lookUp(KernelContext& context, const Table& table) {
    const Tensor& input = context.input(0);
    if (input.type() != table.key) fail("X: found ", input.type(), ", the keys are ", table.key);
    Tensor& output = context.output(0, table.values.type(), input.dims());
    dispatchStorage(table.values.type(), [&]<typename V>(std::type_identity<V>) {
        const auto values = elementsAs<V>(table.values);
        const auto to = mutableElementsAs<V>(output);
        const V& fallback = elementsAs<V>(table.fallback)[0];
        Pace pace(context);
        const auto fill = [&](const auto& keys) {
            for (size_t i = 0; i < to.size(); ++i) {
                const auto place = table.places.find(keys[i]);
                to[i] = place ? values[*place] : fallback;
                pace.spend(16);
            }
        };
        if (input.type() == DataType::string) return fill(input.values<String>());
        if (isInteger(input.type())) return fill(input.toInt64());
        fill(input.toDouble());
    });
}

void inferLookUp(InferContext& context, const Table& table) {
    Type type = context.inputType(0);
    if (type.element != table.key) fail("X: found ", type.element, ", the keys are ", table.key);
    type.element = table.values.type();
    context.setOutput(0, std::move(type));
}

// --- LabelEncoder ---

/// A list of one of the types, by the attributes `prefix`_tensor, _strings, _int64s and _floats.
Tensor readList(const AttributeReader& reader, const std::string& prefix) {
    if (const auto tensor = reader.maybeTensor(prefix + "_tensor")) return *tensor;
    if (reader.has(prefix + "_strings")) return listOf(reader.strings(prefix + "_strings"));
    if (reader.has(prefix + "_int64s")) return listOf(reader.integers(prefix + "_int64s"));
    if (reader.has(prefix + "_floats")) return listOf(reader.numbers(prefix + "_floats"));
    fail("found none of the lists ", prefix, "_…, expected one");
}

Tensor readFallback(const AttributeReader& reader, DataType type) {
    if (const auto tensor = reader.maybeTensor("default_tensor")) return *tensor;
    if (type == DataType::string) return Tensor::scalar(String(reader.string("default_string", "_Unused")));
    Tensor result = Tensor::allocate(type, {});
    dispatchNumeric(type, [&]<typename T>(std::type_identity<T>) {
        if constexpr (std::is_integral_v<T>) {
            result.mutableValues<T>()[0] = static_cast<T>(reader.integer("default_int64", -1));
        } else {
            result.mutableValues<T>()[0] = static_cast<T>(reader.number("default_float", -0.0F));
        }
    });
    return result;
}

Table parseEncoder(const AttributeReader& reader) {
    Tensor values = readList(reader, "values");
    Tensor fallback = readFallback(reader, values.type());
    return tableOf(readList(reader, "keys"), std::move(values), std::move(fallback));
}

void inferEncoder(InferContext& context) { inferLookUp(context, context.attributes<Table>()); }
void runEncoder(KernelContext& context) { lookUp(context, context.attributes<Table>()); }

// --- LabelEncoder of opset 1, CategoryMapper: strings to integers or back, by the type of the input ---

struct TwoWays {
    Table toIntegers = {};
    Table toStrings = {};

    const Table& from(DataType type) const { return type == DataType::string ? toIntegers : toStrings; }
};

TwoWays twoWays(const AttributeReader& reader, const std::vector<std::string>& strings,
                const std::vector<int64_t>& integers) {
    const Tensor names = listOf(strings);
    const Tensor numbers = listOf(integers);
    return {.toIntegers = tableOf(names, numbers, Tensor::scalar(reader.integer("default_int64", -1))),
            .toStrings =
                tableOf(numbers, names, Tensor::scalar(String(reader.string("default_string", "_Unused"))))};
}

TwoWays parseOldEncoder(const AttributeReader& reader) {
    const std::vector<std::string> classes = reader.strings("classes_strings");
    std::vector<int64_t> numbers;
    for (size_t i = 0; i < classes.size(); ++i) numbers.push_back(static_cast<int64_t>(i));
    return twoWays(reader, classes, numbers);
}

TwoWays parseMapper(const AttributeReader& reader) {
    return twoWays(reader, reader.strings("cats_strings"), reader.integers("cats_int64s"));
}

void inferTwoWays(InferContext& context) {
    inferLookUp(context, context.attributes<TwoWays>().from(context.inputElement(0)));
}
void runTwoWays(KernelContext& context) {
    lookUp(context, context.attributes<TwoWays>().from(context.input(0).type()));
}

const OpDef table[] = {
    {.name = "LabelEncoder",
     .sinceVersion = 2,
     .attributes = parsed<parseEncoder>,
     .infer = inferEncoder,
     .work = noWork,
     .reference = runEncoder,
     .domain = mlDomain,
     .tolerance = Tolerance::exact},
    {.name = "LabelEncoder",
     .sinceVersion = 1,
     .attributes = parsed<parseOldEncoder>,
     .infer = inferTwoWays,
     .work = noWork,
     .reference = runTwoWays,
     .domain = mlDomain,
     .tolerance = Tolerance::exact},
    {.name = "CategoryMapper",
     .sinceVersion = 1,
     .attributes = parsed<parseMapper>,
     .infer = inferTwoWays,
     .work = noWork,
     .reference = runTwoWays,
     .domain = mlDomain,
     .tolerance = Tolerance::exact},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
