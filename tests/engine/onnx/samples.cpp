#include "tests/engine/onnx/samples.h"

#include <algorithm>

#include "engine/core/dispatch.h"

namespace test {

using namespace engine;  // NOLINT(google-build-using-namespace): a test file

std::vector<DataType> allDataTypes() {
    std::vector<DataType> types;
    for (int i = 1; i <= static_cast<int>(DataType::float6e3m2); ++i)
        types.push_back(static_cast<DataType>(i));
    return types;
}

Tensor sampleTensor(DataType type) {
    Tensor tensor = Tensor::allocate(type, {5});
    if (type == DataType::string) {
        const std::string words[] = {"", "plain", "with \"quotes\" and ...", "\xC3\xBC", "back\\slash"};
        std::copy(std::begin(words), std::end(words), tensor.mutableValues<String>().begin());
    } else if (type == DataType::boolean) {
        const bool bits[] = {true, false, true, true, false};
        std::copy(std::begin(bits), std::end(bits), tensor.mutableValues<bool>().begin());
    } else if (type == DataType::complex64) {
        for (size_t i = 0; i < 5; ++i) tensor.mutableValues<std::complex<float>>()[i] = {0.5F * i, -1.0F * i};
    } else if (type == DataType::complex128) {
        for (size_t i = 0; i < 5; ++i) tensor.mutableValues<std::complex<double>>()[i] = {0.1 * i, -1.0 * i};
    } else {
        dispatchReal(type, [&]<typename T>(std::type_identity<T>) {
            const int numbers[] = {0, 1, 2, -1, 3};
            std::transform(std::begin(numbers), std::end(numbers), tensor.mutableValues<T>().begin(),
                           [](int number) { return static_cast<T>(number); });
        });
    }
    return tensor;
}

bool isSame(const Tensor& a, const Tensor& b) {
    if (a.type() != b.type() || a.dims() != b.dims()) return false;
    if (a.type() == DataType::string) return std::ranges::equal(a.values<String>(), b.values<String>());
    const auto* first = static_cast<const std::byte*>(a.data());
    return std::equal(first, first + a.bytes(), static_cast<const std::byte*>(b.data()));
}

Node nodeWithAllAttributes() {
    const auto body = [] {
        Graph graph{.name = "body"};
        const ValueId value = graph.addValue({.name = "c", .constant = Datum(Tensor::of<float>({1}, {4}))});
        graph.outputs = {value};
        return std::make_shared<const Graph>(std::move(graph));
    };
    const SparseTensor sparse{.values = Tensor::of<float>({2}, {3, 4}),
                              .indices = Tensor::of<int64_t>({2}, {1, 5}),
                              .dims = {2, 3}};
    Node node{.name = "n", .operatorType = "Everything", .domain = "test", .version = 1};
    node.attributes = {
        {.name = "int", .value = int64_t{-7}},
        {.name = "float", .value = 0.25F},
        {.name = "string", .value = std::string("a\0b", 3)},
        {.name = "tensor", .value = sampleTensor(DataType::int4)},
        {.name = "sparse_tensor", .value = sparse},
        {.name = "graph", .value = body()},
        {.name = "type_proto",
         .value = Type::sequence(Type::tensor(DataType::float16, {Dim::symbol("n"), 3}))},
        {.name = "ints", .value = std::vector<int64_t>{1, INT64_MIN}},
        {.name = "floats", .value = std::vector<float>{1.5F, -2}},
        {.name = "strings", .value = std::vector<std::string>{"", "x"}},
        {.name = "tensors", .value = std::vector<Tensor>{sampleTensor(DataType::float64)}},
        {.name = "sparse_tensors", .value = std::vector<SparseTensor>{sparse, sparse}},
        {.name = "graphs", .value = std::vector<std::shared_ptr<const Graph>>{body(), body()}},
        {.name = "type_protos", .value = std::vector<Type>{Type::optional(Type::tensor(DataType::boolean))}},
    };
    for (Attribute& attribute : node.attributes) attribute.documentation = "about " + attribute.name;
    return node;
}

}  // namespace test
