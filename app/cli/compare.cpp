#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/run_arguments.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "engine/core/error.h"
#include "engine/report/format.h"
#include "engine/report/json.h"

namespace cli {
namespace {

struct Arguments {
    RunArguments run;
    std::vector<int> threads = {1};
    double seconds = 0.5;
    bool isJson = false;
};

/// "cpu,reference" are two configurations; "cpu+reference" is one of two providers.
std::vector<std::vector<std::string>> configurations(const std::vector<std::string>& providers) {
    std::vector<std::vector<std::string>> result;
    for (const std::string& each : providers) {
        std::vector<std::string> parts;
        std::istringstream stream(each);
        for (std::string part; std::getline(stream, part, '+');) parts.push_back(part);
        if (parts.empty()) engine::fail("--providers: found an empty name");
        result.push_back(std::move(parts));
    }
    return result;
}

engine::SweepOptions sweepOptions(const Arguments& arguments) {
    engine::SweepOptions options{.providers = configurations(arguments.run.providers),
                                 .threads = arguments.threads,
                                 .shapes = shapes(arguments.run),
                                 .secondsPerCell = arguments.seconds,
                                 .limits = arguments.run.limits,
                                 .seed = arguments.run.seed,
                                 .passes = passOptions(arguments.run)};
    for (const std::string& dim : arguments.run.dims) {
        const auto [symbol, numbers] = parseNumbers("--dim", dim);
        if (numbers.empty()) engine::fail("--dim ", dim, ": expected at least one number");
        options.dims[symbol] = numbers;
    }
    return options;
}

std::string configurationText(const engine::SweepCell& cell) { return engine::join(cell.providers, "+"); }

void printText(const std::vector<engine::SweepCell>& cells) {
    std::vector<Column> columns = {{"providers"}};
    for (const auto& [symbol, number] : cells.front().dims) columns.push_back({symbol, Align::right});
    for (const char* title : {"threads", "latency", "range", "runs", "runs/s", "memory"}) {
        columns.push_back({title, Align::right});
    }
    columns.push_back({"vs fastest"});
    columns.push_back({""});
    double fastest = 0;
    for (const engine::SweepCell& cell : cells) {
        if (cell.latencyNs && (fastest == 0 || cell.latencyNs->median < fastest))
            fastest = cell.latencyNs->median;
    }
    TextTable table(std::move(columns));
    for (const engine::SweepCell& cell : cells) {
        std::vector<std::string> row = {configurationText(cell)};
        for (const auto& [symbol, number] : cell.dims) row.push_back(std::to_string(number));
        row.push_back(std::to_string(cell.threads));
        if (cell.latencyNs) {
            const engine::Estimate& latency = *cell.latencyNs;
            row.push_back(engine::format(latency, engine::Unit::nanoseconds));
            row.push_back(engine::format(latency.minimum, engine::Unit::nanoseconds) + " … " +
                          engine::format(latency.maximum, engine::Unit::nanoseconds));
            row.push_back(std::to_string(latency.count));
            row.push_back(engine::format(1e9 / latency.median, engine::Unit::none));
            row.push_back(engine::format(static_cast<double>(cell.memory.slabBytes + cell.memory.packedBytes),
                                         engine::Unit::bytes));
            row.push_back("×" + engine::format(latency.median / fastest, engine::Unit::none));
            row.push_back(latency.isUnstable ? "unstable" : "");
        } else {
            row.insert(row.end(), {"n/a", "", "", "", "", "", cell.problem});
        }
        table.add(std::move(row));
    }
    std::cout
        << table.text()
        << "\n  latency: median ± half the 95 % interval, call to results; cells in interleaved rounds\n";
}

engine::Json toJson(const engine::Model& model, const std::vector<engine::SweepCell>& cells) {
    engine::Json list = engine::Json::array();
    for (const engine::SweepCell& cell : cells) {
        engine::Json entry = {{"providers", cell.providers},
                              {"dims", cell.dims.empty() ? engine::Json::object() : engine::Json(cell.dims)},
                              {"threads", cell.threads}};
        if (cell.latencyNs) {
            entry["latency"] = toJson(*cell.latencyNs, "ns");
            entry["slab_bytes"] = cell.memory.slabBytes;
            entry["packed_bytes"] = cell.memory.packedBytes;
        } else {
            entry["latency"] = nullptr;
            entry["problem"] = cell.problem;
        }
        list.push_back(std::move(entry));
    }
    return {{"schema", 1}, {"model", model.path.string()}, {"cells", std::move(list)}};
}

int perform(const Arguments& arguments, Terminal& terminal) {
    const engine::SweepOptions sweepOptions = cli::sweepOptions(arguments);
    const auto model = openModel(arguments.run, terminal);
    const std::vector<engine::SweepCell> cells = engine::sweep(model, sweepOptions, terminal);
    terminal.clear();
    if (arguments.isJson) {
        std::cout << engine::dump(toJson(*model, cells)) << '\n';
    } else {
        printText(cells);
    }
    const bool hasAny = std::any_of(cells.begin(), cells.end(),
                                    [](const engine::SweepCell& cell) { return cell.latencyNs.has_value(); });
    if (!hasAny) engine::fail("no cell could be measured: ", cells.front().problem);
    return done;
}

}  // namespace

Action compare(CLI::App& options) {
    const auto arguments = std::make_shared<Arguments>();
    addModel(options, arguments->run);
    options
        .add_option("--providers", arguments->run.providers,
                    "Configurations to compare; + joins providers into one (cpu,reference,cpu+reference)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("LIST");
    options
        .add_option("--dim", arguments->run.dims,
                    "Numbers for a symbol of the inputs' shapes; may be repeated")
        ->allow_extra_args(false)
        ->type_name("SYMBOL=1,2,4");
    options.add_option("--threads", arguments->threads, "Numbers of threads (1,2)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 1024))
        ->type_name("LIST");
    addShapes(options, arguments->run);
    addPasses(options, arguments->run);
    addLimits(options, arguments->run);
    options.add_option("--seconds", arguments->seconds, "Time to measure each cell, 0.5 by default")
        ->check(checkPositive)
        ->type_name("S");
    options.add_flag("--json", arguments->isJson, "Print JSON");
    return [arguments](Terminal& terminal) { return perform(*arguments, terminal); };
}

}  // namespace cli
