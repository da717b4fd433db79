#include "engine/onnx/tensor_io.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/engine/onnx/samples.h"
#include "tests/support/temporary_folder.h"

namespace engine::onnx {
namespace {

NamedValue writtenAndRead(const Datum& datum, const Type& type) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "input_0.pb";
    writeDatum(path, "x", datum, type);
    NamedValue read = readDatum(path, type);
    EXPECT_EQ(read.name, "x");
    return read;
}

TEST(TensorIo, KeepsTensorsOfEveryType) {
    for (const DataType type : test::allDataTypes()) {
        const Tensor tensor = test::sampleTensor(type);
        EXPECT_TRUE(test::isSame(writtenAndRead(tensor, Type::tensor(type)).datum.tensor(), tensor)) << type;
    }
}

TEST(TensorIo, KeepsSequencesAlsoNestedAndEmpty) {
    const Type inner = Type::sequence(Type::tensor(DataType::float32));
    const Sequence floats{.element = Type::tensor(DataType::float32),
                          .items = {Tensor::of<float>({2}, {1, 2}), Tensor::of<float>({0}, {})}};
    const Sequence outer{.element = inner, .items = {floats, floats}};
    const NamedValue read = writtenAndRead(outer, Type::sequence(inner));
    ASSERT_EQ(read.datum.sequence().items.size(), 2);
    const Sequence& first = read.datum.sequence().items[0].sequence();
    EXPECT_TRUE(test::isSame(first.items[0].tensor(), floats.items[0].tensor()));
    const NamedValue empty = writtenAndRead(Sequence{.element = Type::tensor(DataType::int64), .items = {}},
                                            Type::sequence(Type::tensor(DataType::int64)));
    EXPECT_EQ(empty.datum.sequence().element.element, DataType::int64);
}

TEST(TensorIo, KeepsOptionalsFullAndEmpty) {
    const Type type = Type::optional(Type::tensor(DataType::float32));
    EXPECT_TRUE(writtenAndRead(Datum(), type).datum.isEmpty());
    EXPECT_EQ(writtenAndRead(Tensor::of<float>({1}, {3}), type).datum.tensor().values<float>()[0], 3);
}

TEST(TensorIo, KeepsMaps) {
    const Map map{.keys = Tensor::of<String>({2}, {"a", "b"}), .values = Tensor::of<float>({2}, {1, 2})};
    const Type type{.kind = Type::Kind::map, .key = DataType::string};
    const NamedValue read = writtenAndRead(map, type);
    EXPECT_TRUE(test::isSame(read.datum.map().keys, map.keys));
    EXPECT_TRUE(test::isSame(read.datum.map().values, map.values));
}

TEST(TensorIo, SaysWhereAFileIsDamaged) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "t.pb";
    writeDatum(path, "x", Tensor::of<float>({100}, std::vector<float>(100, 1)), {});
    const std::string whole = test::readFile(path);
    folder.write("t.pb", whole.substr(0, 200));
    try {
        readDatum(path, {});
        FAIL() << "half a tensor was taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("t.pb"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("byte 200"), std::string::npos) << error.what();
    }
    EXPECT_THROW(readDatum(folder.path() / "missing.pb", {}), Error);
    EXPECT_THROW(readDatum(folder.path(), {}), Error);
}

}  // namespace
}  // namespace engine::onnx
