// The operators of ai.onnx.ml on maps: DictVectorizer and CastMap make tensors of them, ZipMap makes a map of
// each row of scores.

#include <algorithm>
#include <charconv>
#include <map>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

DataType valueType(const InferContext& context) {
    const Type& type = context.inputType(0);
    if (type.kind != Type::Kind::map) fail("X: found ", typeText(type), ", expected a map");
    return type.inner ? type.inner->element : type.element;
}

// --- DictVectorizer: the values of the keys of a vocabulary, 0 or empty where there is none ---

struct Vocabulary {
    std::vector<int64_t> integers = {};
    std::vector<String> strings = {};

    size_t count() const { return std::max(integers.size(), strings.size()); }
};

Vocabulary parseVocabulary(const AttributeReader& reader) {
    const std::vector<std::string> words = reader.strings("string_vocabulary");
    Vocabulary vocabulary{.integers = reader.integers("int64_vocabulary"),
                          .strings = {words.begin(), words.end()}};
    if (vocabulary.integers.empty() == vocabulary.strings.empty()) {
        fail("found ", vocabulary.integers.empty() ? "neither" : "both",
             " of int64_vocabulary and string_vocabulary, expected one of them");
    }
    return vocabulary;
}

void inferVectorizer(InferContext& context) {
    context.setOutput(0, valueType(context),
                      {1, static_cast<int64_t>(context.attributes<Vocabulary>().count())});
}

/// For each word of the vocabulary the place of its key.
template <class Key>
std::vector<std::optional<size_t>> placesOf(const std::vector<Key>& vocabulary, const Tensor& keys) {
    checkElement(keys, dataTypeOf<Key>, "keys of X");
    std::map<Key, size_t> places;
    for (size_t i = 0; i < keys.values<Key>().size(); ++i) places.emplace(keys.values<Key>()[i], i);
    std::vector<std::optional<size_t>> result;
    for (const Key& word : vocabulary) {
        const auto found = places.find(word);
        result.push_back(found == places.end() ? std::nullopt : std::optional(found->second));
    }
    return result;
}

void runVectorizer(KernelContext& context) {
    const auto& vocabulary = context.attributes<Vocabulary>();
    const Map& map = context.inputDatum(0).map();
    const auto places = vocabulary.strings.empty() ? placesOf(vocabulary.integers, map.keys)
                                                   : placesOf(vocabulary.strings, map.keys);
    Tensor& output = context.output(0, map.values.type(), {1, static_cast<int64_t>(vocabulary.count())});
    dispatchStorage(map.values.type(), [&]<typename T>(std::type_identity<T>) {
        const auto values = elementsAs<T>(map.values);
        std::transform(places.begin(), places.end(), mutableElementsAs<T>(output).begin(),
                       [&](const std::optional<size_t>& place) { return place ? values[*place] : T{}; });
    });
}

// --- CastMap: the values in the order of their keys, or each at the place that its key says ---

struct CastAttributes {
    DataType to = DataType::float32;
    std::optional<int64_t> sparseSize = {};
};

CastAttributes parseCast(const AttributeReader& reader) {
    const std::string to = reader.choice("cast_to", "TO_FLOAT", {"TO_FLOAT", "TO_STRING", "TO_INT64"});
    CastAttributes attributes{.to = to == "TO_FLOAT"    ? DataType::float32
                                    : to == "TO_STRING" ? DataType::string
                                                        : DataType::int64};
    if (reader.choice("map_form", "DENSE", {"DENSE", "SPARSE"}) == "SPARSE") {
        attributes.sparseSize = reader.integer("max_map", 1);
        if (*attributes.sparseSize < 1)
            fail("max_map: found ", *attributes.sparseSize, ", expected at least 1");
    }
    return attributes;
}

void inferCast(InferContext& context) {
    const auto& attributes = context.attributes<CastAttributes>();
    valueType(context);
    context.setOutput(0, attributes.to, {1, attributes.sparseSize ? Dim(*attributes.sparseSize) : Dim()});
}

float toNumber(const String& word) {
    float number = 0;
    const auto end = std::from_chars(word.data(), word.data() + word.size(), number);
    if (end.ec != std::errc() || end.ptr != word.data() + word.size()) fail("X: '", word, "' is no number");
    return number;
}

template <class To, class From>
To castValue(const From& value) {
    if constexpr (std::is_same_v<To, From>) {
        return value;
    } else if constexpr (std::is_same_v<To, String>) {
        return String(text(value));
    } else if constexpr (std::is_same_v<From, String>) {
        return static_cast<To>(toNumber(value));
    } else {
        return static_cast<To>(value);
    }
}

template <class To, class From>
void castMap(KernelContext& context, const Map& map) {
    const auto& sparseSize = context.attributes<CastAttributes>().sparseSize;
    std::map<int64_t, From> sorted;
    const auto keys = checkedValues<int64_t>(map.keys, "keys of X");
    const auto values = checkedValues<From>(map.values, "values of X");
    for (size_t i = 0; i < keys.size(); ++i) sorted[keys[i]] = values[i];
    const int64_t size = sparseSize.value_or(static_cast<int64_t>(sorted.size()));
    const auto to = context.output(0, dataTypeOf<To>, {1, size}).template mutableValues<To>();
    std::fill(to.begin(), to.end(), To{});
    size_t next = 0;
    for (const auto& [key, value] : sorted) {
        if (sparseSize && (key < 0 || key >= size)) fail("X: found key ", key, ", expected 0 to ", size - 1);
        to[sparseSize ? static_cast<size_t>(key) : next++] = castValue<To>(value);
    }
}

void runCast(KernelContext& context) {
    const Map& map = context.inputDatum(0).map();
    dispatchAmong<float, String>(map.values.type(), [&]<typename From>(std::type_identity<From>) {
        dispatchAmong<float, String, int64_t>(
            context.attributes<CastAttributes>().to,
            [&]<typename To>(std::type_identity<To>) { castMap<To, From>(context, map); });
    });
}

// --- ZipMap ---

ClassLabels parseZip(const AttributeReader& reader) {
    return readClassLabels(reader, "classlabels_int64s", "classlabels_strings");
}

Type mapType(const ClassLabels& labels) {
    return {.kind = Type::Kind::map,
            .key = labels.element(),
            .inner = std::make_shared<const Type>(Type::tensor(DataType::float32, Shape{}))};
}

void inferZip(InferContext& context) {
    context.setOutput(0, Type::sequence(mapType(context.attributes<ClassLabels>())));
}

void runZip(KernelContext& context) {
    const auto& labels = context.attributes<ClassLabels>();
    const Tensor& input = context.input(0);
    const auto scores = checkedValues<float>(input, "X");
    const auto count = static_cast<int64_t>(labels.count());
    if (input.rank() < 1 || input.rank() > 2 || input.dims().back() != count) {
        fail("X: found shape ", listText(input.dims()), ", expected a last axis of ", count, " classes");
    }
    const Tensor keys = labels.strings.empty() ? Tensor::of<int64_t>({count}, labels.integers)
                                               : Tensor::ofStrings({count}, labels.strings);
    Sequence sequence{mapType(labels), {}};
    for (size_t start = 0; start < scores.size(); start += labels.count()) {
        context.checkpoint();
        sequence.items.emplace_back(
            Map{keys, Tensor::of<float>({count}, scores.subspan(start, labels.count()))});
    }
    context.setOutput(0, std::move(sequence));
}

const OpDef table[] = {
    {.name = "DictVectorizer",
     .sinceVersion = 1,
     .attributes = parsed<parseVocabulary>,
     .infer = inferVectorizer,
     .work = noWork,
     .reference = runVectorizer,
     .domain = mlDomain,
     .tolerance = Tolerance::exact},
    {.name = "CastMap",
     .sinceVersion = 1,
     .attributes = parsed<parseCast>,
     .infer = inferCast,
     .work = noWork,
     .reference = runCast,
     .domain = mlDomain},
    {.name = "ZipMap",
     .sinceVersion = 1,
     .attributes = parsed<parseZip>,
     .infer = inferZip,
     .work = noWork,
     .reference = runZip,
     .domain = mlDomain,
     .tolerance = Tolerance::exact},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
