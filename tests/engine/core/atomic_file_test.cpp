#include "engine/core/atomic_file.h"

#include <gtest/gtest.h>

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

TEST(AtomicFile, NamesThePathThatCannotBeWritten) {
    try {
        AtomicFile file("/nonexistent/f");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("/nonexistent/f"), std::string::npos);
    }
}

}  // namespace
}  // namespace engine
