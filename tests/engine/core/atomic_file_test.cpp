#include "engine/core/atomic_file.h"

#include <csignal>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "tests/support/temporary_folder.h"

namespace engine {
namespace {

TEST(AtomicFile, AppearsOnlyWhenItIsWhole) {
    const test::TemporaryFolder folder;
    const auto path = folder.write("f", "before");
    {
        AtomicFile file(path);
        file.write("half");
    }
    EXPECT_EQ(test::readFile(path), "before");
    AtomicFile file(path);
    file.write("whole");
    EXPECT_EQ(test::readFile(path), "before");
    file.commit();
    EXPECT_EQ(test::readFile(path), "whole");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
        << "nothing left behind";
}

std::string errorOf(const std::filesystem::path& path) {
    try {
        AtomicFile file(path);
        file.write("text");
        file.commit();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

size_t filesIn(const std::filesystem::path& folder) {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(AtomicFile, NamesThePathThatCannotBeWritten) {
    EXPECT_EQ(errorOf("/nonexistent/f"), "/nonexistent/f: cannot be written: No such file or directory");
    // Nobody, not even root, writes there.
    EXPECT_EQ(errorOf("/proc/f").find("/proc/f: cannot be written: "), 0U);
}

TEST(AtomicFile, RefusesTheNameOfAFolder) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "sub";
    std::filesystem::create_directory(path);
    EXPECT_EQ(errorOf(path), path.string() + ": cannot be written: Is a directory");
    EXPECT_EQ(filesIn(folder.path()), 1U);
}

TEST(AtomicFile, KeepsTheRightsOfWhatItReplaces) {
    const test::TemporaryFolder folder;
    const auto path = folder.write("f", "before");
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
    EXPECT_EQ(errorOf(path), "no error");
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_read);
}

/// The most bytes that a file of this process may have: as a full disk, it cuts writing short.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

TEST(AtomicFile, LeavesWhatStoodThereWhenItCannotBeWrittenWhole) {
    const test::TemporaryFolder folder;
    const auto path = folder.write("f", "before");
    std::string error;
    {
        const FileSizeLimit limit(1000);
        try {
            AtomicFile file(path);
            file.write(std::string(2000, 'x'));
            file.commit();
        } catch (const Error& caught) {
            error = caught.what();
        }
    }
    EXPECT_EQ(error, path.string() + ": cannot be written: File too large");
    EXPECT_EQ(test::readFile(path), "before");
    EXPECT_EQ(filesIn(folder.path()), 1U);
}

TEST(AtomicFile, LeavesNothingBehindWhenTheProcessIsKilled) {
    const test::TemporaryFolder folder;
    const int descriptor = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor < 0) GTEST_SKIP() << "the file system has no files without names";
    ::close(descriptor);
    const auto path = folder.write("f", "before");
    const pid_t child = ::fork();
    if (child == 0) {
        AtomicFile file(path);
        file.write("half");
        ::raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(test::readFile(path), "before");
    EXPECT_EQ(filesIn(folder.path()), 1U);
}

}  // namespace
}  // namespace engine
