#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wire_writer.h"

namespace engine {
namespace {

using test::WireWriter;

/// A model that has the tensor as its only initializer.
std::shared_ptr<const Model> opened(const WireWriter& tensor) {
    const test::TemporaryFolder folder;
    Observer observer;
    const WireWriter named = WireWriter().append(tensor.data()).bytes(8, "w");
    return Model::open(
        folder.write("m.onnx", WireWriter().varint(1, 8).message(7, WireWriter().message(5, named)).data()),
        observer);
}

Tensor tensorOf(const WireWriter& tensor) {
    const auto model = opened(tensor);
    const Value& value = model->graph->values.at(0);
    if (!value.constant) {
        ADD_FAILURE() << model->diagnostics.at(0).message;
        return {};
    }
    return value.constant->tensor();
}

std::string problemOf(const WireWriter& tensor) {
    const auto model = opened(tensor);
    EXPECT_FALSE(model->graph->values.at(0).constant.has_value());
    for (const Diagnostic& found : model->diagnostics) {
        if (found.place == "initializer 'w'") {
            EXPECT_TRUE(found.byteOffset.has_value());
            return found.message;
        }
    }
    return "";
}

WireWriter head(int type, std::initializer_list<uint64_t> dims) {
    WireWriter tensor;
    for (const uint64_t dim : dims) tensor.varint(1, dim);
    return tensor.varint(2, static_cast<uint64_t>(type));
}

TEST(TensorData, ReadsHalvesAndSmallIntegersFromInt32Data) {
    const Tensor half = tensorOf(head(10, {2}).varint(5, 0x3C00).varint(5, 0xC000));
    EXPECT_EQ(half.toDouble(), (std::vector<double>{1, -2}));
    const Tensor bytes =
        tensorOf(head(3, {2}).bytes(5, std::string("\x05\xFB\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 11)));
    EXPECT_EQ(bytes.toInt64(), (std::vector<int64_t>{5, -5}));
    const Tensor bits = tensorOf(head(9, {3}).bytes(5, std::string("\x01\x00\x02", 3)));
    EXPECT_EQ(bits.toInt64(), (std::vector<int64_t>{1, 0, 1}));
}

TEST(TensorData, UnpacksSubByteElementsLowBitsFirst) {
    EXPECT_EQ(tensorOf(head(22, {3}).bytes(9, std::string("\x8F\x07", 2))).toInt64(),
              (std::vector<int64_t>{-1, -8, 7}));
    EXPECT_EQ(tensorOf(head(21, {3}).bytes(9, std::string("\x8F\x07", 2))).toInt64(),
              (std::vector<int64_t>{15, 8, 7}));
    EXPECT_EQ(tensorOf(head(26, {5}).bytes(9, std::string("\xE4\x01", 2))).toInt64(),
              (std::vector<int64_t>{0, 1, -2, -1, 1}));
    EXPECT_EQ(tensorOf(head(21, {3}).varint(5, 0x8F).varint(5, 0x07)).toInt64(),
              (std::vector<int64_t>{15, 8, 7}));
}

TEST(TensorData, TakesAnyByteButZeroAsTrue) {
    const Tensor bits = tensorOf(head(9, {3}).bytes(9, std::string("\x00\x01\xFF", 3)));
    EXPECT_EQ(bits.toInt64(), (std::vector<int64_t>{0, 1, 1}));
}

TEST(TensorData, ReadsElementsWhateverTheirPlaceInTheFile) {
    for (size_t shift = 0; shift < 9; ++shift) {
        std::string raw(8000, '\0');
        for (size_t i = 0; i < 1000; ++i) raw[8 * i] = static_cast<char>(i);
        const Tensor tensor = tensorOf(head(7, {1000}).bytes(12, std::string(shift, 'd')).bytes(9, raw));
        EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data()) % 8, 0);
        EXPECT_EQ(tensor.values<int64_t>()[255], 255);
    }
}

TEST(TensorData, RefusesTooFewAndTooManyElements) {
    EXPECT_NE(problemOf(head(1, {3}).bytes(9, "12345678")).find("8 bytes"), std::string::npos);
    EXPECT_NE(problemOf(head(1, {1}).bytes(9, "12345678")).find("needs 4"), std::string::npos);
    EXPECT_NE(problemOf(head(7, {3}).varint(7, 1)).find("found 1 entries in int64_data"), std::string::npos);
    EXPECT_NE(problemOf(head(8, {2}).bytes(6, "a")).find("string_data"), std::string::npos);
    EXPECT_NE(problemOf(head(1, {2})).find("found 0 entries"), std::string::npos);
    EXPECT_NE(problemOf(head(8, {1}).bytes(9, "a")).find("string_data"), std::string::npos);
}

TEST(TensorData, RefusesDimsThatNoTensorHas) {
    EXPECT_NE(problemOf(head(1, {uint64_t{1} << 40, uint64_t{1} << 40}).bytes(9, "1234")).find("overflow"),
              std::string::npos);
    EXPECT_NE(problemOf(head(1, {~uint64_t{0}}).bytes(9, "1234")).find("negative"), std::string::npos);
    EXPECT_NE(problemOf(head(7, {uint64_t{1} << 62}).bytes(9, "1234")), "");
    EXPECT_NE(problemOf(head(11, {uint64_t{1} << 60}).varint(5, 1)), "");
    EXPECT_NE(problemOf(head(15, {uint64_t{1} << 58}).bytes(10, "12345678")), "");
}

TEST(TensorData, RefusesUnknownElementTypesAndSegments) {
    EXPECT_NE(problemOf(head(99, {1}).bytes(9, "1")).find("element type number 99"), std::string::npos);
    EXPECT_NE(problemOf(head(0, {1}).bytes(9, "1")), "");
    const WireWriter segment = WireWriter().varint(1, 0).varint(2, 1);
    EXPECT_NE(problemOf(head(1, {1}).message(3, segment).bytes(9, "1234")).find("segment"),
              std::string::npos);
}

TEST(TensorData, KeepsStringsWithNulAndEmptyOnes) {
    const Tensor strings = tensorOf(head(8, {3}).bytes(6, String("a\0b", 3)).bytes(6, "").bytes(6, "c"));
    EXPECT_EQ(strings.values<String>()[0], String("a\0b", 3));
    EXPECT_EQ(strings.values<String>()[2], "c");
}

TEST(SparseInitializer, BecomesADenseConstantWithANote) {
    const WireWriter values = head(1, {2}).bytes(8, "s").bytes(9, std::string("\0\0\x80\x3F\0\0\0\x40", 8));
    const WireWriter indices = head(7, {2, 2}).bytes(7, std::string("\0\1\1\2", 4));
    const WireWriter sparse = WireWriter().message(1, values).message(2, indices).varint(3, 2).varint(3, 3);
    const test::TemporaryFolder folder;
    Observer observer;
    const auto model = Model::open(
        folder.write("m.onnx", WireWriter().varint(1, 8).message(7, WireWriter().message(15, sparse)).data()),
        observer);
    const Value& value = model->graph->values.at(0);
    ASSERT_TRUE(value.constant.has_value());
    EXPECT_EQ(value.constant->tensor().toDouble(), (std::vector<double>{0, 1, 0, 0, 0, 2}));
    EXPECT_EQ(value.metadata.at(0).first, "sparse");
}

TEST(SparseInitializer, RefusesAnIndexOutside) {
    const WireWriter values = head(1, {1}).bytes(8, "s").bytes(9, "1234");
    const WireWriter indices = head(7, {1}).varint(7, 6);
    const WireWriter sparse = WireWriter().message(1, values).message(2, indices).varint(3, 2).varint(3, 3);
    const test::TemporaryFolder folder;
    Observer observer;
    const auto model = Model::open(
        folder.write("m.onnx", WireWriter().varint(1, 8).message(7, WireWriter().message(15, sparse)).data()),
        observer);
    EXPECT_FALSE(model->graph->values.at(0).constant.has_value());
    EXPECT_NE(model->diagnostics.at(0).message.find("sparse index 6"), std::string::npos);
}

}  // namespace
}  // namespace engine
