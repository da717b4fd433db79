#include "tests/support/paths.h"

namespace test {

std::filesystem::path sourceDir() { return OPSCOPE_SOURCE_DIR; }

std::filesystem::path binDir() { return std::filesystem::path(OPSCOPE_BINARY_DIR) / "bin"; }

std::filesystem::path customOperators(const std::string& library) {
    return std::filesystem::path(OPSCOPE_BINARY_DIR) / "lib" / (library + ".so");
}

std::filesystem::path modelsDir() { return sourceDir() / ".deps/models"; }

std::filesystem::path oracleDir() { return sourceDir() / ".deps/oracle"; }

}  // namespace test
