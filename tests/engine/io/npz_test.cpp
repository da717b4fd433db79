#include "engine/io/npz.h"

#include <fstream>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/io/zip.h"
#include "tests/engine/io/numpy_files.h"
#include "tests/support/temporary_folder.h"

namespace engine {
namespace {

template <size_t size>
std::filesystem::path write(const test::TemporaryFolder& folder,
                            const std::array<unsigned char, size>& content) {
    std::filesystem::path path = folder.path() / "x.npz";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(size));
    return path;
}

TEST(Npz, ReadsStoredArraysByName) {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = write(folder, numpy::storedArchive);
    EXPECT_EQ(npzNames(path), (std::vector<std::string>{"x", "flag"}));
    EXPECT_EQ(readNpz(path, "x").toDouble(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(readNpz(path, "flag").type(), DataType::boolean);
}

TEST(Npz, ReadsDeflatedArrays) {
    const test::TemporaryFolder folder;
    const Tensor tensor = readNpz(write(folder, numpy::deflatedArchive), "x");
    EXPECT_EQ(tensor.dims(), (Dims{16, 16}));
    EXPECT_EQ(tensor.toDouble(), std::vector<double>(256, 0));
}

TEST(Npz, NamesTheArrayThatIsNotThere) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(readNpz(write(folder, numpy::storedArchive), "y"), Error);
}

TEST(Zip, NoticesDamageAnywhere) {
    const auto whole = std::as_bytes(std::span(numpy::deflatedArchive));
    const auto entry = zipEntries(whole).at(0);
    const std::vector<std::byte> right = unzip(whole, entry);
    for (size_t at = 0; at < numpy::deflatedArchive.size(); ++at) {
        auto damaged = numpy::deflatedArchive;
        damaged[at] ^= 0x55;
        const auto bytes = std::as_bytes(std::span(damaged));
        try {
            for (const ZipEntry& each : zipEntries(bytes)) EXPECT_EQ(unzip(bytes, each), right) << at;
        } catch (const Error&) {
            // Refusing is right; wrong content is not.
        }
    }
}

TEST(Zip, RefusesATruncatedArchive) {
    const auto whole = std::as_bytes(std::span(numpy::storedArchive));
    for (size_t length = 0; length < whole.size(); ++length) {
        EXPECT_THROW(zipEntries(whole.first(length)), Error) << length;
    }
}

}  // namespace
}  // namespace engine
