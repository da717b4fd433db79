#include "app/cli/conformance_case.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>

#include "app/cli/expected_outputs.h"
#include "engine/core/error.h"
#include "engine/io/datum_files.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

struct Tolerance {
    double relative = 1e-3;
    double absolute = 1e-7;
};

Tolerance readTolerance(const fs::path& folder) {
    Tolerance tolerance;
    std::ifstream file(folder / "tolerance.json");
    if (!file) return tolerance;
    try {
        const engine::Json json = engine::Json::parse(file);
        tolerance.relative = json.value("rtol", tolerance.relative);
        tolerance.absolute = json.value("atol", tolerance.absolute);
    } catch (const engine::Json::exception& problem) {
        engine::fail("tolerance.json: ", problem.what());
    }
    return tolerance;
}

/// Why a node of the graph or of a body in it cannot be run, or nothing.
std::string whyUnsupported(const engine::Session& session) {
    for (const engine::Placement& node : session.placement().nodes) {
        if (!node.provider.empty()) continue;
        const std::string reason = node.refusals.empty() ? "nobody takes it" : node.refusals.back().reason;
        return node.operatorType + ": " + reason;
    }
    return "";
}

std::vector<fs::path> dataSets(const fs::path& folder) {
    std::vector<std::pair<size_t, fs::path>> numbered;
    const std::string prefix = "test_data_set_";
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(prefix) || !entry.is_directory()) continue;
        numbered.emplace_back(std::strtoul(name.c_str() + prefix.size(), nullptr, 10), entry.path());
    }
    std::sort(numbered.begin(), numbered.end());
    std::vector<fs::path> result;
    for (const auto& [number, path] : numbered) result.push_back(path);
    return result;
}

std::vector<engine::NamedDatum> readSide(const engine::Model& model, const std::vector<engine::ValueId>& ids,
                                         const fs::path& folder, const char* side) {
    std::vector<engine::NamedDatum> result;
    for (size_t i = 0; i < ids.size(); ++i) {
        const engine::Value& value = model.graph->value(ids[i]);
        const fs::path file = folder / engine::text(side, '_', i, ".pb");
        if (!fs::exists(file)) continue;
        result.push_back({value.name, engine::readDatum(file, value.name, value.type)});
    }
    return result;
}

/// The first output that is not as expected, and how; or nothing.
std::string whyWrong(const std::vector<engine::NamedDatum>& outputs,
                     const std::vector<engine::NamedDatum>& expected, const Tolerance& tolerance) {
    if (expected.empty()) return "there is no expected output to compare with";
    for (const engine::NamedDatum& wanted : expected) {
        const auto found =
            std::find_if(outputs.begin(), outputs.end(),
                         [&](const engine::NamedDatum& output) { return output.name == wanted.name; });
        if (found == outputs.end()) return "output '" + wanted.name + "' is missing";
        const engine::Difference difference =
            engine::compare(found->datum, wanted.datum, tolerance.relative, tolerance.absolute);
        if (!difference.isWithin) return "output '" + wanted.name + "' " + differenceText(difference);
    }
    return "";
}

void runDataSets(const fs::path& folder, const RunArguments& arguments, engine::Observer& observer,
                 CaseResult& result) {
    const auto model = engine::Model::open(folder / "model.onnx", observer);
    const auto session = engine::Session::create(model, sessionOptions(arguments), observer);
    result.reason = whyUnsupported(*session);
    if (!result.reason.empty()) {
        result.verdict = Verdict::unsupported;
        return;
    }
    const Tolerance tolerance = readTolerance(folder);
    const std::vector<fs::path> sets = dataSets(folder);
    if (sets.empty()) engine::fail("has no test_data_set_0");
    for (const fs::path& set : sets) {
        const auto inputs = readSide(*model, model->graph->inputs, set, "input");
        const engine::RunResult run = session->run(inputs, {.limits = arguments.limits}, observer);
        result.reason =
            whyWrong(run.outputs, readSide(*model, model->graph->outputs, set, "output"), tolerance);
        if (result.reason.empty()) continue;
        if (sets.size() > 1) result.reason = set.filename().string() + ": " + result.reason;
        return;
    }
    result.verdict = Verdict::passed;
}

constexpr const char* verdictNames[] = {"passed", "failed", "unsupported"};

}  // namespace

engine::Json toJson(const CaseResult& result) {
    engine::Json json = {{"name", result.name},
                         {"result", verdictNames[static_cast<size_t>(result.verdict)]},
                         {"elapsed_ns", result.elapsedNs}};
    if (!result.reason.empty()) json["reason"] = result.reason;
    return json;
}

CaseResult caseResultFrom(const engine::Json& json) {
    CaseResult result{
        .name = json.at("name"), .reason = json.value("reason", ""), .elapsedNs = json.at("elapsed_ns")};
    const std::string verdict = json.at("result");
    const auto* found = std::find(std::begin(verdictNames), std::end(verdictNames), verdict);
    result.verdict = static_cast<Verdict>(found - std::begin(verdictNames));
    return result;
}

std::vector<fs::path> findCases(const std::vector<std::string>& roots) {
    std::set<fs::path> cases;
    for (const std::string& root : roots) {
        std::error_code problem;
        if (!fs::is_directory(root, problem)) engine::fail(root, ": no such folder");
        const size_t before = cases.size();
        const fs::path top = fs::path(root).lexically_normal();
        if (fs::exists(top / "model.onnx")) cases.insert(top);
        const auto options = fs::directory_options::skip_permission_denied;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top, options)) {
            if (entry.path().filename() == "model.onnx" && entry.is_regular_file(problem)) {
                cases.insert(entry.path().parent_path());
            }
        }
        if (cases.size() == before) engine::fail(root, ": holds no folder with a model.onnx");
    }
    return {cases.begin(), cases.end()};
}

CaseResult runCase(const fs::path& folder, const RunArguments& arguments, engine::Observer& observer) {
    CaseResult result{.name = folder.string()};
    const auto start = std::chrono::steady_clock::now();
    try {
        runDataSets(folder, arguments, observer, result);
    } catch (const std::exception& error) {
        result.verdict = Verdict::failed;
        result.reason = error.what();
    }
    result.elapsedNs = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace cli
