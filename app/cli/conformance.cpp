#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/conformance_case.h"
#include "app/cli/run_arguments.h"
#include "app/cli/terminal.h"
#include "app/cli/worker_pool.h"
#include "engine/core/error.h"

namespace cli {
namespace {

struct Arguments {
    RunArguments run;
    std::vector<std::string> folders = {};
    int jobs = 1;
    bool isJson = false;
};

struct Counts {
    size_t passed = 0;
    size_t failed = 0;
    size_t unsupported = 0;
};

std::vector<CaseResult> runAll(const Arguments& arguments, Terminal& terminal) {
    const std::vector<std::filesystem::path> cases = findCases(arguments.folders);
    std::vector<CaseResult> results(cases.size());
    const auto work = [&](size_t index) {
        QuietObserver observer;
        return toJson(runCase(cases[index], arguments.run, observer))
            .dump(-1, ' ', false, engine::Json::error_handler_t::replace);
    };
    const auto take = [&](size_t index, const ItemOutcome& outcome) {
        if (outcome.problem.empty()) {
            results[index] = caseResultFrom(engine::Json::parse(outcome.answer));
        } else {
            results[index] = {.name = cases[index].string(), .reason = outcome.problem};
        }
    };
    // The bound is the process's, so that it also holds for a kernel that never looks up.
    runInWorkers(
        {.items = cases.size(), .workers = arguments.jobs, .secondsPerItem = arguments.run.limits.seconds},
        work, take, terminal);
    return results;
}

Counts count(const std::vector<CaseResult>& results) {
    Counts counts;
    for (const CaseResult& result : results) {
        ++(result.verdict == Verdict::passed   ? counts.passed
           : result.verdict == Verdict::failed ? counts.failed
                                               : counts.unsupported);
    }
    return counts;
}

int perform(const Arguments& arguments, Terminal& terminal) {
    const std::vector<CaseResult> results = runAll(arguments, terminal);
    const Counts counts = count(results);
    terminal.clear();
    if (arguments.isJson) {
        engine::Json json = {{"schema", 1},
                             {"passed", counts.passed},
                             {"failed", counts.failed},
                             {"unsupported", counts.unsupported},
                             {"total", results.size()}};
        json["cases"] = engine::Json::array();
        for (const CaseResult& result : results) json["cases"].push_back(toJson(result));
        std::cout << engine::dump(json) << '\n';
    } else {
        for (const CaseResult& result : results) {
            if (result.verdict == Verdict::passed) continue;
            std::string reason = result.reason;
            std::replace(reason.begin(), reason.end(), '\n', ' ');
            std::cout << (result.verdict == Verdict::failed ? "FAILED       " : "unsupported  ")
                      << result.name << ": " << reason << '\n';
        }
        std::cout << counts.passed << " passed, " << counts.failed << " failed, " << counts.unsupported
                  << " unsupported of " << results.size() << '\n';
    }
    return counts.passed == results.size() ? done : answerIsNo;
}

}  // namespace

Action conformance(CLI::App& options) {
    const auto arguments = std::make_shared<Arguments>();
    arguments->run.threads = 1;
    arguments->run.limits.seconds = 60;
    options
        .add_option("DIR", arguments->folders,
                    "Folders with cases at any depth: model.onnx, test_data_set_0/…")
        ->required();
    addEngine(options, arguments->run);
    addPasses(options, arguments->run);
    addLimits(options, arguments->run);
    options.add_option("--jobs", arguments->jobs, "Cases at the same time")
        ->check(CLI::Range(1, 256))
        ->type_name("N");
    options.add_flag("--json", arguments->isJson, "Print JSON, with every case");
    return [arguments](Terminal& terminal) { return perform(*arguments, terminal); };
}

}  // namespace cli
