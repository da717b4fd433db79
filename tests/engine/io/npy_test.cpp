#include "engine/io/npy.h"

#include <cstring>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/engine/io/numpy_files.h"
#include "tests/support/temporary_folder.h"

namespace engine {
namespace {

template <size_t size>
std::span<const std::byte> bytes(const std::array<unsigned char, size>& file) {
    return std::as_bytes(std::span(file));
}

const std::vector<int64_t> upToFive = {0, 1, 2, 3, 4, 5};

std::string problemOf(std::span<const std::byte> file) {
    try {
        parseNpy(file);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Npy, ReadsRowMajorNumbers) {
    const Tensor tensor = parseNpy(bytes(numpy::float32File));
    EXPECT_EQ(tensor.type(), DataType::float32);
    EXPECT_EQ(tensor.dims(), (Dims{2, 3}));
    EXPECT_EQ(tensor.toDouble(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST(Npy, PutsColumnMajorElementsInRowMajorOrder) {
    const Tensor tensor = parseNpy(bytes(numpy::columnMajorInt64File));
    EXPECT_EQ(tensor.dims(), (Dims{2, 3}));
    EXPECT_EQ(tensor.toInt64(), upToFive);
}

TEST(Npy, TurnsOtherByteOrdersRound) {
    EXPECT_EQ(parseNpy(bytes(numpy::bigEndianInt32File)).toInt64(), upToFive);
    EXPECT_EQ(parseNpy(bytes(numpy::complexFile)).values<std::complex<float>>()[0],
              std::complex<float>(1, 2));
}

TEST(Npy, ReadsEveryKindOfElement) {
    EXPECT_EQ(parseNpy(bytes(numpy::float16File)).toDouble(), (std::vector<double>{0.5, -2}));
    EXPECT_EQ(parseNpy(bytes(numpy::boolFile)).type(), DataType::boolean);
    EXPECT_EQ(parseNpy(bytes(numpy::boolFile)).toInt64(), (std::vector<int64_t>{1, 0}));
    const Tensor strings = parseNpy(bytes(numpy::stringFile));
    EXPECT_EQ(strings.values<String>()[1], "bäm");
    EXPECT_EQ(strings.values<String>()[2], "");
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
    EXPECT_EQ(parseNpy(bytes(numpy::scalarFile)).dims(), Dims{});
    EXPECT_EQ(parseNpy(bytes(numpy::scalarFile)).toInt64(), std::vector<int64_t>{7});
    EXPECT_EQ(parseNpy(bytes(numpy::emptyFile)).dims(), (Dims{0, 3}));
}

TEST(Npy, ReadsTextsOfNoLetters) {
    std::string file = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                       "{'descr': '<U0', 'fortran_order': False, 'shape': (2,), }";
    file.resize(127, ' ');
    file += '\n';
    const Tensor tensor = parseNpy(std::as_bytes(std::span(file)));
    ASSERT_EQ(tensor.dims(), Dims{2});
    EXPECT_EQ(tensor.values<String>()[1], "");
}

TEST(Npy, ReadsTheLongHeaderOfLaterVersions) {
    EXPECT_EQ(parseNpy(bytes(numpy::version3File)).toInt64(), upToFive);
}

TEST(Npy, SaysWhyItRefusesAFile) {
    EXPECT_NE(problemOf(bytes(numpy::recordFile)).find("records"), std::string::npos);
    EXPECT_EQ(problemOf(bytes(numpy::float32File).first(5)), "is no .npy file");
    EXPECT_EQ(problemOf(bytes(numpy::float32File).first(60)), "is cut off in its header");
    EXPECT_EQ(problemOf(bytes(numpy::float32File).first(bytes(numpy::float32File).size() - 1)),
              "found 23 bytes of elements, expected 6 of 4 bytes each");
}

TEST(Npy, SurvivesDamageInEveryByteOfTheHeader) {
    for (size_t at = 0; at < 128; ++at) {
        for (const unsigned char damage : {0x00, 0x7F, 0xFF, 0x39}) {
            auto file = numpy::float32File;
            file[at] = damage;
            try {
                EXPECT_LE(parseNpy(bytes(file)).bytes(), size_t{1} << 20U);
            } catch (const Error&) {
                // Refusing is fine; crashing is not.
            }
        }
    }
}

TEST(Npy, WritesWhatNumpyWrites) {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "x.npy";
    for (const auto& file : {bytes(numpy::float32File), bytes(numpy::boolFile), bytes(numpy::stringFile),
                             bytes(numpy::scalarFile), bytes(numpy::emptyFile)}) {
        const Tensor tensor = parseNpy(file);
        writeNpy(path, tensor);
        const Tensor again = readNpy(path);
        EXPECT_EQ(again.type(), tensor.type());
        EXPECT_EQ(again.dims(), tensor.dims());
        if (tensor.type() == DataType::string) {
            EXPECT_TRUE(std::equal(again.values<String>().begin(), again.values<String>().end(),
                                   tensor.values<String>().begin()));
        } else {
            EXPECT_EQ(again.toDouble(), tensor.toDouble());
        }
    }
}

TEST(Npy, CarriesTypesThatNumpyLacksAsIntegersOfTheirSize) {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "x.npy";
    writeNpy(path, Tensor::of<BFloat16>({2}, {BFloat16(1.5F), BFloat16(-2.0F)}));
    const Tensor read = readNpy(path);
    EXPECT_EQ(read.type(), DataType::uint16);
    EXPECT_EQ(restoredFromNpy(read, DataType::bfloat16).toDouble(), (std::vector<double>{1.5, -2}));

    writeNpy(path, Tensor::of<Int4>({2}, {Int4(-8), Int4(7)}));
    EXPECT_EQ(readNpy(path).type(), DataType::int8);
    EXPECT_EQ(restoredFromNpy(readNpy(path), DataType::int4).toInt64(), (std::vector<int64_t>{-8, 7}));
}

TEST(Npy, NamesTheFileThatIsNotThere) {
    const test::TemporaryFolder folder;
    try {
        readNpy(folder.path() / "missing.npy");
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("missing.npy: no such file"), std::string::npos);
    }
}

}  // namespace
}  // namespace engine
