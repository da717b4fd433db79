#include "engine/onnx/wire_skim.h"

#include <gtest/gtest.h>

#include "tests/support/wire_writer.h"

namespace engine::onnx {
namespace {

using test::WireWriter;

Skim skimmed(const std::string& bytes, Message root = Message::model) {
    Observer observer;
    return skim(std::as_bytes(std::span(bytes)), root, observer);
}

WireWriter tensor(const std::string& raw) {
    return WireWriter().varint(1, 2).varint(2, 1).bytes(8, "w").bytes(9, raw);
}

TEST(WireSkim, LeavesOutTheElementsAndSaysWhereTheyAre) {
    const std::string raw = "elements";
    const std::string bytes = WireWriter().message(7, WireWriter().message(5, tensor(raw))).data();
    const Skim result = skimmed(bytes);
    ASSERT_EQ(result.payloads.size(), 1);
    EXPECT_TRUE(result.payloads[0].hasRaw);
    EXPECT_EQ(bytes.substr(result.payloads[0].rawBegin, result.payloads[0].rawBytes), raw);
    EXPECT_EQ(result.rest.find(raw), std::string::npos);
    EXPECT_NE(result.rest.find('w'), std::string::npos);
    EXPECT_EQ(result.faultCount, 0);
}

TEST(WireSkim, CountsTypedElementsPackedAndNot) {
    const std::string packed("\x01\x80\x01\x7F", 4);
    const Skim result = skimmed(
        WireWriter().bytes(7, packed).varint(7, 300).bytes(6, "a").bytes(6, "").data(), Message::tensor);
    ASSERT_EQ(result.payloads.size(), 1);
    EXPECT_EQ(result.payloads[0].int64s, 4);
    EXPECT_EQ(result.payloads[0].strings, 2);
    EXPECT_EQ(result.rest.size(), 6) << "only the index of the payload is left";
}

TEST(WireSkim, KeepsWhatComesBeforeTheEndOfACutFile) {
    const WireWriter first = WireWriter().bytes(4, "Relu").bytes(1, "x");
    const WireWriter second = WireWriter().bytes(4, "Sigmoid").bytes(1, "y");
    const std::string whole =
        WireWriter().message(7, WireWriter().message(1, first).message(1, second)).data();
    const std::string cut = whole.substr(0, whole.size() - 2);
    const Skim result = skimmed(cut);
    EXPECT_NE(result.rest.find("Relu"), std::string::npos);
    EXPECT_EQ(result.rest.find("Sigmoid"), std::string::npos) << "half a node is no node";
    ASSERT_EQ(result.faultCount, 1) << "one cause, one report";
    EXPECT_EQ(result.faults[0].offset, cut.size());
}

TEST(WireSkim, ReportsALengthThatLeavesItsMessageAndGoesOn) {
    const WireWriter broken = WireWriter().bytes(4, "Relu").bytesOfLength(1, 100, "x");
    const WireWriter sound = WireWriter().bytes(4, "Sigmoid");
    const std::string bytes =
        WireWriter().message(7, WireWriter().message(1, broken).message(1, sound)).data();
    const Skim result = skimmed(bytes);
    EXPECT_NE(result.rest.find("Relu"), std::string::npos);
    EXPECT_NE(result.rest.find("Sigmoid"), std::string::npos);
    ASSERT_EQ(result.faultCount, 1);
    EXPECT_EQ(result.faults[0].offset, bytes.find("\x0A\x64"));
    EXPECT_EQ(result.faults[0].where, "graph.node");
}

TEST(WireSkim, RefusesWrongWireTypesAndBrokenNumbers) {
    const Skim number = skimmed(WireWriter().varint(7, 5).data());
    EXPECT_EQ(number.faultCount, 1);
    EXPECT_TRUE(number.rest.empty());
    const Skim floats = skimmed(WireWriter().bytes(4, "12345").data(), Message::tensor);
    EXPECT_EQ(floats.faultCount, 1);
    EXPECT_EQ(floats.payloads[0].floats, 0);
    const Skim varints = skimmed(WireWriter().bytes(7, "\xFF\xFF").data(), Message::tensor);
    EXPECT_EQ(varints.faultCount, 1);
    EXPECT_EQ(varints.payloads[0].int64s, 0);
}

TEST(WireSkim, StopsAtBytesThatAreNoField) {
    for (const std::string& rubbish :
         {std::string("\x00", 1), std::string("\x0B"), std::string("\xFF\xFF\xFF\xFF\xFF\x7F")}) {
        const std::string bytes = WireWriter().varint(1, 8).append(rubbish).varint(5, 1).data();
        const Skim result = skimmed(bytes);
        ASSERT_EQ(result.faultCount, 1);
        EXPECT_EQ(result.faults[0].offset, 2);
        EXPECT_EQ(result.rest, bytes.substr(0, 2));
    }
}

TEST(WireSkim, LeavesOutWhatIsNestedTooDeep) {
    WireWriter graph = WireWriter().bytes(2, "innermost");
    for (int i = 0; i < 200; ++i) {
        graph = WireWriter().message(1, WireWriter().message(5, WireWriter().message(6, graph)));
    }
    const Skim result = skimmed(WireWriter().message(7, graph).data());
    EXPECT_EQ(result.faultCount, 1);
    EXPECT_EQ(result.rest.find("innermost"), std::string::npos);
}

TEST(WireSkim, SkipsUnknownFields) {
    const Skim result = skimmed(WireWriter().bytes(99, "of a newer ONNX").varint(1, 8).data());
    EXPECT_EQ(result.unknownFields, 1);
    EXPECT_EQ(result.faultCount, 0);
    EXPECT_EQ(result.rest.size(), 2);
}

}  // namespace
}  // namespace engine::onnx
