#pragma once

#include <string>
#include <vector>

#include "engine/session.h"

namespace CLI {
class App;
}

namespace cli {

/// What run, profile, bench, compare and others are told in the same words.
struct RunArguments {
    std::string model = {};
    std::vector<std::string> inputs = {};  ///< NAME=FILE
    std::string inputsFolder = {};
    std::vector<std::string> dims = {};    ///< SYMBOL=N
    std::vector<std::string> shapes = {};  ///< INPUT=1,3,640,640
    uint64_t seed = 0;
    std::vector<std::string> providers = {"cpu", "reference"};
    int threads = 0;
    std::vector<std::string> withoutPasses = {};
    bool doesOptimize = true;
    engine::Limits limits = {};
    engine::OpenLimits openLimits = {};
};

void addModel(CLI::App& options, RunArguments& arguments);   ///< MODEL and the limits on opening it
void addDims(CLI::App& options, RunArguments& arguments);    ///< --dim
void addInputs(CLI::App& options, RunArguments& arguments);  ///< --input --inputs
void addShapes(CLI::App& options, RunArguments& arguments);  ///< --shape --seed
void addEngine(CLI::App& options, RunArguments& arguments);  ///< --providers --threads
void addPasses(CLI::App& options, RunArguments& arguments);  ///< --without --no-optimize
void addLimits(CLI::App& options, RunArguments& arguments);  ///< those on a run
/// All of them.
void addRunArguments(CLI::App& options, RunArguments& arguments);

/// Each throws engine::Error that names the argument.
engine::Bindings bindings(const RunArguments& arguments);
void checkBindings(const engine::Model& model, const engine::Bindings& bindings);  ///< that the symbols exist
std::map<std::string, engine::Dims> shapes(const RunArguments& arguments);
engine::SessionOptions sessionOptions(const RunArguments& arguments);
engine::PipelineOptions passOptions(const RunArguments& arguments);

/// SYMBOL=1,2,4 or NAME=3,8,8 taken apart.
std::pair<std::string, std::vector<int64_t>> parseNumbers(const std::string& option,
                                                          const std::string& argument);

/// An input and where it came from.
struct SourcedInput {
    engine::NamedDatum value;
    std::string source;  ///< the file, or "made up, seed 0"
};

/// Reads the given inputs and makes up the others, in the graph's order. Cancellable.
std::vector<SourcedInput> collectInputs(const engine::Model& model, const RunArguments& arguments,
                                        engine::Observer& observer);
std::vector<engine::NamedDatum> values(const std::vector<SourcedInput>& inputs);

/// Opens the model that the arguments name.
std::shared_ptr<const engine::Model> openModel(const RunArguments& arguments, engine::Observer& observer);

/// A model, its session and its inputs, as the arguments say.
struct Prepared {
    std::shared_ptr<const engine::Model> model;
    std::shared_ptr<engine::Session> session;
    std::vector<SourcedInput> inputs;
};
Prepared prepare(const RunArguments& arguments, engine::Observer& observer);
Prepared prepare(const RunArguments& arguments, const engine::SessionOptions& options,
                 engine::Observer& observer);

/// Refuses what is no number above 0.
std::string checkPositive(const std::string& written);

}  // namespace cli
