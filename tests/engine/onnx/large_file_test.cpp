#include <chrono>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wire_writer.h"

namespace engine {
namespace {

using test::WireWriter;

constexpr uint64_t gigabyte = uint64_t{1} << 30;

/// How much memory this process has of its own and of mapped files.
size_t residentMegabytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        size_t kilobytes = 0;
        if (word == "VmRSS:" && status >> kilobytes) return kilobytes / 1024;
    }
    return 0;
}

/// A file with holes in it.
class SparseFile {
public:
    explicit SparseFile(const std::filesystem::path& path)
        : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {}
    ~SparseFile() { ::close(descriptor_); }
    SparseFile(const SparseFile&) = delete;
    SparseFile& operator=(const SparseFile&) = delete;

    void write(const std::string& bytes) {
        ASSERT_EQ(::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_)),
                  static_cast<ssize_t>(bytes.size()));
        size_ += bytes.size();
    }
    void skip(uint64_t bytes) { size_ += bytes; }
    bool finish() { return ::ftruncate(descriptor_, static_cast<off_t>(size_)) == 0; }
    bool isSparse() const {
        struct stat status = {};
        ::fstat(descriptor_, &status);
        return static_cast<uint64_t>(status.st_blocks) * 512 < gigabyte / 16;
    }

private:
    int descriptor_;
    uint64_t size_ = 0;
};

/// y = x + w0 + … with each w 1 GiB of zeros, but for its last element, which is 1.
bool writeModel(const std::filesystem::path& path, size_t weights) {
    const std::string one("\0\0\x80\x3F", 4);
    std::vector<std::string> heads;
    std::string nodes;
    uint64_t graphBytes = 0;
    for (size_t i = 0; i < weights; ++i) {
        const std::string name = "w" + std::to_string(i);
        const std::string inside = WireWriter()
                                       .varint(1, gigabyte / 4)
                                       .varint(2, 1)
                                       .bytes(8, name)
                                       .bytesOfLength(9, gigabyte, "")
                                       .data();
        heads.push_back(WireWriter().bytesOfLength(5, inside.size() + gigabyte, inside).data());
        graphBytes += heads.back().size() + gigabyte;
        const std::string from = i == 0 ? "x" : "h" + std::to_string(i - 1);
        nodes += WireWriter()
                     .message(1, WireWriter()
                                     .bytes(1, from)
                                     .bytes(1, name)
                                     .bytes(2, "h" + std::to_string(i))
                                     .bytes(4, "Add"))
                     .data();
    }
    nodes +=
        WireWriter().message(11, WireWriter().bytes(1, "x")).message(12, WireWriter().bytes(1, "h0")).data();
    graphBytes += nodes.size();
    SparseFile file(path);
    file.write(WireWriter()
                   .varint(1, 8)
                   .message(8, WireWriter().varint(2, 17))
                   .bytesOfLength(7, graphBytes, "")
                   .data());
    for (const std::string& head : heads) {
        file.write(head);
        file.skip(gigabyte - one.size());
        file.write(one);
    }
    file.write(nodes);
    return file.finish() && file.isSparse();
}

TEST(SlowLargeFile, OpensFiveGigabytesInTwoSecondsAndLittleMemory) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "large.onnx";
    if (!writeModel(path, 5)) GTEST_SKIP() << "the file system has no sparse files";
    const size_t before = residentMegabytes();
    const auto start = std::chrono::steady_clock::now();
    Observer observer;
    const auto model = Model::open(path, observer);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_LT(seconds, 2);
    EXPECT_LT(residentMegabytes(), before + 300);
    RecordProperty("seconds", std::to_string(seconds));
    EXPECT_EQ(model->graph->nodes.size(), 5);
    const Value& last = model->graph->value(model->graph->findValue("w4"));
    ASSERT_TRUE(last.constant.has_value());
    EXPECT_EQ(last.constant->tensor().dims(), (Dims{int64_t{gigabyte / 4}}));
}

}  // namespace
}  // namespace engine
