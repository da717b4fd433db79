#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/run_arguments.h"
#include "engine/report/json.h"

namespace cli {

enum class Verdict : unsigned char { passed, failed, unsupported };

/// How one folder of onnx test data came out.
struct CaseResult {
    std::string name;
    Verdict verdict = Verdict::failed;
    std::string reason = {};  ///< why it did not pass
    int64_t elapsedNs = 0;
};

engine::Json toJson(const CaseResult& result);
CaseResult caseResultFrom(const engine::Json& json);

/// The folders below `roots` (or themselves) that hold a model.onnx, sorted, each once. Throws engine::Error
/// for a root that is no folder or has none.
std::vector<std::filesystem::path> findCases(const std::vector<std::string>& roots);

/// Runs every test_data_set_K of the folder. Elements may differ by atol + rtol · |expected|, as
/// tolerance.json says ({"rtol": 1e-3, "atol": 1e-7} without it). Never throws but engine::Cancelled: what
/// goes wrong is the case's result.
CaseResult runCase(const std::filesystem::path& folder, const RunArguments& arguments,
                   engine::Observer& observer);

}  // namespace cli
