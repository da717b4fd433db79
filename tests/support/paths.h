#pragma once

#include <filesystem>
#include <string>

namespace test {

/// The root of the checkout that the tests were built from.
std::filesystem::path sourceDir();

/// The folder of the binaries of this build: opscope-cli and opscope-layout lie there.
std::filesystem::path binDir();

/// A library of tests/custom_op, by the name of its target.
std::filesystem::path customOperators(const std::string& library = "custom_operators");

/// The models that tests/models/ brings and makes; there when a suite named Models… runs under ctest.
std::filesystem::path modelsDir();

/// MODEL/CASE/{case.json,inputs,outputs} of tests/models/oracle.py; there whenever modelsDir() is.
std::filesystem::path oracleDir();

}  // namespace test
