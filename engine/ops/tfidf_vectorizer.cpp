#include <algorithm>
#include <map>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

enum class Mode : uint8_t { tf, idf, tfidf };

struct Attributes {
    Mode mode = Mode::tf;
    int64_t shortest = 1;
    int64_t longest = 1;
    int64_t mostSkipped = 0;
    std::vector<int64_t> counts = {};   // where in the pool the n-grams of each size begin
    std::vector<int64_t> indexes = {};  // for each n-gram of the pool, its place in the output
    std::vector<float> weights = {};
    std::vector<int64_t> integers = {};
    std::vector<String> strings = {};
    int64_t outputSize = 0;
};

void check(const Attributes& attributes) {
    if (attributes.shortest < 1 || attributes.longest < attributes.shortest || attributes.mostSkipped < 0) {
        fail("found n-grams of ", attributes.shortest, " to ", attributes.longest, " with ",
             attributes.mostSkipped, " skips, expected at least 1, in order, and no negative number");
    }
    if (attributes.integers.empty() == attributes.strings.empty()) {
        fail("found ", attributes.integers.empty() ? "neither" : "both",
             " of pool_int64s and pool_strings, expected one of them");
    }
    const auto poolSize =
        static_cast<int64_t>(std::max(attributes.integers.size(), attributes.strings.size()));
    int64_t before = 0;
    for (const int64_t start : attributes.counts) {
        if (start < before || start > poolSize) {
            fail("ngram_counts: found ", listText(attributes.counts),
                 ", expected ascending places in a pool of ", poolSize);
        }
        before = start;
    }
    for (const int64_t index : attributes.indexes) {
        if (index < 0 || index > (int64_t{1} << 30))
            fail("ngram_indexes: found ", index, ", expected a place");
    }
    if (!attributes.weights.empty() &&
        static_cast<int64_t>(attributes.weights.size()) < attributes.outputSize) {
        fail("weights: found ", attributes.weights.size(), ", expected ", attributes.outputSize);
    }
}

Attributes parse(const AttributeReader& reader) {
    const std::string mode = reader.string("mode");
    const std::vector<std::string> words = reader.strings("pool_strings");
    Attributes attributes{.shortest = reader.integer("min_gram_length"),
                          .longest = reader.integer("max_gram_length"),
                          .mostSkipped = reader.integer("max_skip_count"),
                          .counts = reader.integers("ngram_counts"),
                          .indexes = reader.integers("ngram_indexes"),
                          .weights = reader.numbers("weights"),
                          .integers = reader.integers("pool_int64s"),
                          .strings = {words.begin(), words.end()}};
    attributes.mode = mode == "TF" ? Mode::tf : mode == "IDF" ? Mode::idf : Mode::tfidf;
    if (mode != "TF" && mode != "IDF" && mode != "TFIDF") {
        fail("mode: found '", mode, "', expected TF, IDF or TFIDF");
    }
    if (!attributes.indexes.empty()) {
        attributes.outputSize = *std::max_element(attributes.indexes.begin(), attributes.indexes.end()) + 1;
    }
    check(attributes);
    return attributes;
}

void infer(InferContext& context) {
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return context.setOutput(0, DataType::float32);
    Shape output;
    if (input->size() == 2) output.push_back((*input)[0]);
    if (input->size() > 2) fail("X: found rank ", input->size(), ", expected 1 or 2");
    output.push_back(context.attributes<Attributes>().outputSize);
    context.setOutput(0, DataType::float32, std::move(output));
}

// The pool's n-grams, each with its place in the output.
template <class Item>
std::map<std::vector<Item>, size_t> poolOf(const Attributes& attributes, const std::vector<Item>& items) {
    std::map<std::vector<Item>, size_t> pool;
    size_t number = 0;
    for (size_t size = 1; size <= attributes.counts.size(); ++size) {
        const auto begin = static_cast<size_t>(attributes.counts[size - 1]);
        const size_t end =
            size < attributes.counts.size() ? static_cast<size_t>(attributes.counts[size]) : items.size();
        for (size_t at = begin; at + size <= end; at += size, ++number) {
            if (number >= attributes.indexes.size()) {
                fail("ngram_indexes: found ", attributes.indexes.size(),
                     ", expected one for each n-gram of the pool");
            }
            const auto first = items.begin() + static_cast<std::ptrdiff_t>(at);
            pool.emplace(std::vector<Item>(first, first + static_cast<std::ptrdiff_t>(size)),
                         static_cast<size_t>(attributes.indexes[number]));
        }
    }
    return pool;
}

// Counts in `row` the n-grams whose items stand `distance` apart.
template <class Item>
void count(std::span<const Item> row, size_t distance, size_t shortest, size_t longest,
           const std::map<std::vector<Item>, size_t>& pool, std::span<float> counts) {
    for (size_t start = 0; start < row.size(); ++start) {
        std::vector<Item> gram;
        for (size_t at = start; at < row.size() && gram.size() < longest; at += distance) {
            gram.push_back(row[at]);
            if (gram.size() < shortest) continue;
            const auto found = pool.find(gram);
            if (found != pool.end()) counts[found->second] += 1;
        }
    }
}

template <class Item>
void vectorize(KernelContext& context, const std::vector<Item>& items, std::span<const Item> input,
               std::span<float> output, size_t rows) {
    const auto& attributes = context.attributes<Attributes>();
    const auto pool = poolOf(attributes, items);
    const size_t rowSize = rows == 0 ? 0 : input.size() / rows;
    const auto size = static_cast<size_t>(attributes.outputSize);
    std::fill(output.begin(), output.end(), 0.0F);
    for (size_t r = 0; r < rows; ++r) {
        const auto counts = output.subspan(r * size, size);
        auto shortest = static_cast<size_t>(attributes.shortest);
        const auto longest = static_cast<size_t>(attributes.longest);
        for (int64_t distance = 1; distance <= attributes.mostSkipped + 1; ++distance) {
            context.checkpoint();
            if (distance > static_cast<int64_t>(rowSize) && distance > 1) break;
            count(input.subspan(r * rowSize, rowSize), static_cast<size_t>(distance), shortest, longest, pool,
                  counts);
            // Single items do not depend on the distance: they count once.
            if (shortest == 1 && ++shortest > longest) break;
        }
        for (size_t i = 0; i < size; ++i) {
            const float weight = attributes.weights.empty() ? 1 : attributes.weights[i];
            if (attributes.mode == Mode::idf) counts[i] = counts[i] > 0 ? weight : 0;
            if (attributes.mode == Mode::tfidf) counts[i] *= weight;
        }
    }
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    if (x.rank() > 2) fail("X: found rank ", x.rank(), ", expected 1 or 2");
    Dims dims;
    if (x.rank() == 2) dims.push_back(x.dims()[0]);
    const auto rows = static_cast<size_t>(x.rank() == 2 ? x.dims()[0] : 1);
    dims.push_back(attributes.outputSize);
    const auto output = context.output(0, dims).mutableValues<float>();
    if (x.type() == DataType::string) {
        if (attributes.strings.empty()) fail("X: found strings, expected integers as the pool has");
        return vectorize<String>(context, attributes.strings, x.values<String>(), output, rows);
    }
    if (attributes.integers.empty()) fail("X: found ", x.type(), ", expected strings as the pool has");
    const std::vector<int64_t> input = x.toInt64();
    vectorize<int64_t>(context, attributes.integers, input, output, rows);
}

const OpDef tfIdfVectorizer{
    .name = "TfIdfVectorizer",
    .sinceVersion = 9,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerInput,
    .reference = reference,
};
const Register<OpDef> registered{tfIdfVectorizer};

}  // namespace
}  // namespace engine
