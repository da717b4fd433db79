#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/expected_outputs.h"
#include "app/cli/run_arguments.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "engine/core/error.h"
#include "engine/io/datum_files.h"
#include "engine/report/format.h"
#include "engine/report/json.h"
#include "engine/report/tensor_summary.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    RunArguments run;
    std::string outputsFolder = {};
    std::string expectedFolder = {};
    double tolerance = -1;
    bool isJson = false;
};

/// Two names that would be one file are refused before anything is written.
void checkFileNames(const std::vector<engine::NamedDatum>& outputs) {
    std::map<std::string, std::string> nameOfStem;
    for (const engine::NamedDatum& output : outputs) {
        const auto [entry, isNew] = nameOfStem.emplace(engine::fileStem(output.name), output.name);
        if (isNew || entry->second == output.name) continue;
        engine::fail("--outputs: '", entry->second, "' and '", output.name, "' would both be ", entry->first,
                     ".npy");
    }
}

std::map<std::string, std::vector<fs::path>> writeOutputs(const std::vector<engine::NamedDatum>& outputs,
                                                          const fs::path& folder) {
    checkFileNames(outputs);
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) engine::fail("--outputs ", folder.string(), ": ", problem.message());
    std::map<std::string, std::vector<fs::path>> files;
    for (const engine::NamedDatum& output : outputs) {
        try {
            files[output.name] = engine::writeDatum(folder, output.name, output.datum);
        } catch (engine::Error& error) {
            error.addContext("output '" + output.name + "'");
            throw;
        }
    }
    return files;
}

std::string typeOf(const engine::Datum& datum) {
    constexpr size_t most = 200;
    return datum.isEmpty() ? "nothing" : shortened(engine::typeText(datum.type()), most);
}

void printText(const Prepared& prepared, const engine::RunResult& result,
               const std::map<std::string, std::vector<fs::path>>& files) {
    TextTable inputs({{"input"}, {"type"}, {"from"}});
    inputs.addEach(prepared.inputs, [](const SourcedInput& input) -> std::vector<std::string> {
        return {shortened(input.value.name), typeOf(input.value.datum), input.source};
    });
    TextTable outputs({{"output"}, {"type"}, {"values"}, {"file"}});
    outputs.addEach(result.outputs, [&](const engine::NamedDatum& output) -> std::vector<std::string> {
        const auto written = files.find(output.name);
        const bool hasFile = written != files.end() && !written->second.empty();
        return {shortened(output.name), typeOf(output.datum), engine::summaryText(output.datum),
                hasFile ? written->second.front().string() : ""};
    });
    std::cout << inputs.text() << '\n'
              << outputs.text() << '\n'
              << "  one run, call to results: "
              << engine::format(static_cast<double>(result.elapsedNs), engine::Unit::nanoseconds) << '\n';
}

engine::Json toJson(const Prepared& prepared, const engine::RunResult& result,
                    const std::map<std::string, std::vector<fs::path>>& files) {
    engine::Json json = {{"schema", 1}, {"model", prepared.model->path.string()}};
    json["inputs"] = engine::Json::array();
    for (const SourcedInput& input : prepared.inputs) {
        json["inputs"].push_back(
            {{"name", input.value.name}, {"type", typeOf(input.value.datum)}, {"source", input.source}});
    }
    json["outputs"] = engine::Json::array();
    for (const engine::NamedDatum& output : result.outputs) {
        engine::Json entry = {{"name", output.name},
                              {"type", typeOf(output.datum)},
                              {"values", engine::summaryJson(output.datum)}};
        if (const auto written = files.find(output.name); written != files.end()) {
            entry["files"] = engine::Json::array();
            for (const fs::path& file : written->second) entry["files"].push_back(file.string());
        }
        json["outputs"].push_back(std::move(entry));
    }
    json["elapsed_ns"] = result.elapsedNs;
    return json;
}

int perform(const Arguments& arguments, Terminal& terminal) {
    const Prepared prepared = prepare(arguments.run, terminal);
    const engine::RunResult result =
        prepared.session->run(values(prepared.inputs), {.limits = arguments.run.limits}, terminal);
    std::map<std::string, std::vector<fs::path>> files;
    if (!arguments.outputsFolder.empty()) files = writeOutputs(result.outputs, arguments.outputsFolder);
    std::vector<OutputCheck> checks;
    if (!arguments.expectedFolder.empty()) {
        checks = checkOutputs(*prepared.model, result.outputs, arguments.expectedFolder, arguments.tolerance);
    }
    terminal.clear();
    if (arguments.isJson) {
        engine::Json json = toJson(prepared, result, files);
        if (!arguments.expectedFolder.empty()) json["checks"] = checksJson(checks);
        std::cout << engine::dump(json) << '\n';
    } else {
        printText(prepared, result, files);
        if (!checks.empty()) std::cout << '\n' << checksText(checks);
    }
    return std::all_of(checks.begin(), checks.end(), [](const OutputCheck& check) { return check.isRight(); })
               ? done
               : answerIsNo;
}

}  // namespace

Action run(CLI::App& options) {
    const auto arguments = std::make_shared<Arguments>();
    addRunArguments(options, arguments->run);
    options.add_option("--outputs", arguments->outputsFolder, "Folder that gets each output as NAME.npy")
        ->type_name("DIR");
    options
        .add_option(
            "--expect", arguments->expectedFolder,
            "Folder with NAME.npy or output_K.pb to compare the outputs with; exit status 1 on a difference")
        ->type_name("DIR");
    options
        .add_option(
            "--tolerance", arguments->tolerance,
            "Largest difference, as a share of the largest magnitude of the expected output; by default "
            "1e-4, 1e-2 for float16 and bfloat16, 0 for integers")
        ->check(CLI::NonNegativeNumber)
        ->type_name("SHARE");
    options.add_flag("--json", arguments->isJson, "Print JSON");
    return [arguments](Terminal& terminal) { return perform(*arguments, terminal); };
}

}  // namespace cli
