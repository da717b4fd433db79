#include <charconv>
#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/run_arguments.h"
#include "app/cli/terminal.h"
#include "engine/core/error.h"
#include "engine/report/format.h"
#include "engine/report/json.h"

namespace cli {
namespace {

struct Arguments {
    RunArguments run;
    std::string precision = "f32";
    bool isPaced = false;
    bool isJson = false;
    size_t runs = 100;
};

constexpr size_t mostRuns = 10'000'000;

/// A request: one whole number from 1 on a line of its own.
size_t parseCount(const std::string& line) {
    size_t count = 0;
    const char* end = line.data() + line.size();
    const auto [stopped, problem] = std::from_chars(line.data(), end, count);
    if (problem != std::errc() || stopped != end || count < 1 || count > mostRuns) {
        engine::fail("standard input: found '", line.substr(0, 60), "', expected a number of runs from 1 to ",
                     mostRuns);
    }
    return count;
}

/// A loop with nothing in it but runs.
std::vector<int64_t> measure(engine::Session& session, const std::vector<engine::NamedDatum>& inputs,
                             const engine::RunOptions& options, size_t count) {
    QuietObserver observer;
    std::vector<int64_t> times(count);
    for (int64_t& time : times) time = session.run(inputs, options, observer).elapsedNs;
    return times;
}

std::string answer(const std::vector<int64_t>& times) {
    std::string line = "{\"ns\":[";
    for (size_t i = 0; i < times.size(); ++i) line += (i > 0 ? "," : "") + std::to_string(times[i]);
    return line + "]}\n";
}

int serve(engine::Session& session, const std::vector<engine::NamedDatum>& inputs,
          const engine::RunOptions& options) {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::cout << answer(measure(session, inputs, options, parseCount(line)));
        flushOutput();
    }
    return done;
}

int perform(const Arguments& arguments, Terminal& terminal) {
    RunArguments run = arguments.run;
    engine::SessionOptions sessionOptions = cli::sessionOptions(run);
    sessionOptions.precision = arguments.precision;
    const Prepared prepared = prepare(run, sessionOptions, terminal);
    const std::vector<engine::NamedDatum> inputs = values(prepared.inputs);
    prepared.session->prepare(inputs, run.limits, terminal);
    terminal.clear();
    const engine::RunOptions options{.limits = run.limits};
    if (arguments.isPaced) return serve(*prepared.session, inputs, options);
    measure(*prepared.session, inputs, options, 1);
    const std::vector<int64_t> times = measure(*prepared.session, inputs, options, arguments.runs);
    const engine::Estimate latency = engine::estimate(std::vector<double>(times.begin(), times.end()));
    if (arguments.isJson) {
        std::cout << engine::dump({{"schema", 1}, {"latency", toJson(latency, "ns")}, {"ns", times}}) << '\n';
    } else {
        std::cout << "  " << engine::format(latency, engine::Unit::nanoseconds) << " over " << latency.count
                  << " runs\n";
    }
    return done;
}

}  // namespace

Action bench(CLI::App& options) {
    const auto arguments = std::make_shared<Arguments>();
    addRunArguments(options, arguments->run);
    options.add_flag("--paced", arguments->isPaced,
                     "Print nothing; for each line N on standard input run N times and answer {\"ns\":[…]}");
    options.add_option("--runs", arguments->runs, "Without --paced: how many runs")
        ->check(CLI::Range(size_t{1}, mostRuns))
        ->type_name("N");
    options.add_option("--precision", arguments->precision, "What it computes in: f32")->type_name("NAME");
    options.add_flag("--json", arguments->isJson, "Print JSON (with --paced the answers are JSON anyway)");
    return [arguments](Terminal& terminal) { return perform(*arguments, terminal); };
}

}  // namespace cli
