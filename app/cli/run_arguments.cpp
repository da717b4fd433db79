#include "app/cli/run_arguments.h"

#include <charconv>

#include <CLI/CLI.hpp>

#include "app/cli/input_files.h"
#include "engine/core/error.h"
#include "engine/core/name_list.h"

namespace cli {
namespace {

constexpr const char* runLimits = "Limits of a run";
constexpr const char* openLimits = "Limits of opening";

template <class T>
CLI::Option* addList(CLI::App& options, const std::string& name, T& into, const std::string& description) {
    return options.add_option(name, into, description)->allow_extra_args(false);
}

void addSeconds(CLI::App& options, const char* name, double& into, const char* description) {
    options.add_option(name, into, description)->check(checkPositive)->type_name("S")->group(runLimits);
}

void addBytes(CLI::App& options, const char* name, size_t& into, const char* description) {
    options.add_option(name, into, description)
        ->transform(CLI::AsSizeValue(true))
        ->type_name("BYTES")
        ->group(runLimits);
}

template <class T>
CLI::Option* addCount(CLI::App& options, const char* name, T& into, const char* description) {
    return options.add_option(name, into, description)
        ->check(checkPositive)
        ->type_name("N")
        ->group(runLimits);
}

}  // namespace

void addModel(CLI::App& options, RunArguments& arguments) {
    options.add_option("MODEL", arguments.model, "ONNX file, or .onnxtxt in ONNX's text syntax")->required();
    engine::OpenLimits& limits = arguments.openLimits;
    const auto add = [&](const char* name, auto& into, const char* description) {
        return addCount(options, name, into, description)->group(openLimits)->capture_default_str();
    };
    add("--limit-function-nodes", limits.functionNodes, "Most nodes that expanding functions may make");
    add("--limit-function-calls", limits.functionCalls, "Most calls of functions that are expanded");
    add("--limit-function-depth", limits.functionDepth, "Most functions that call each other in turn")
        ->check(CLI::Range(1, 1000));
    add("--limit-nesting", limits.nesting, "Most messages of the file in each other; a graph in a graph is 3")
        ->check(CLI::Range(1, engine::deepestNesting));
    add("--limit-parts", limits.parts, "Most nodes, tensors, values, … that are read of the file, each");
}

void addDims(CLI::App& options, RunArguments& arguments) {
    addList(options, "--dim", arguments.dims, "Number for a symbol of the inputs' shapes; may be repeated")
        ->type_name("SYMBOL=N");
}

void addInputs(CLI::App& options, RunArguments& arguments) {
    addList(options, "--input", arguments.inputs,
            "File for an input: .npy, .npz or TensorProto .pb; may be repeated")
        ->type_name("NAME=FILE");
    options
        .add_option("--inputs", arguments.inputsFolder, "Folder with NAME.npy or input_K.pb for the inputs")
        ->type_name("DIR");
}

void addShapes(CLI::App& options, RunArguments& arguments) {
    addList(options, "--shape", arguments.shapes, "Shape of an input that is made up; may be repeated")
        ->type_name("INPUT=1,3,640,640");
    options.add_option("--seed", arguments.seed, "Seed of made-up inputs and of random operators")
        ->type_name("N");
}

void addEngine(CLI::App& options, RunArguments& arguments) {
    options.add_option("--providers", arguments.providers, "Providers in order of choice (cpu,reference)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("LIST");
    options.add_option("--threads", arguments.threads, "Threads; by default one per usable core")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
}

void addPasses(CLI::App& options, RunArguments& arguments) {
    addList(options, "--without", arguments.withoutPasses, "Leave out a pass; may be repeated")
        ->delimiter(',')
        ->type_name("PASS");
    options.add_flag("!--no-optimize", arguments.doesOptimize, "Run the graph as the file has it");
}

void addLimits(CLI::App& options, RunArguments& arguments) {
    engine::Limits& limits = arguments.limits;
    addSeconds(options, "--limit-seconds", limits.seconds, "End a run that takes longer");
    addSeconds(options, "--limit-node-seconds", limits.nodeSeconds, "End a run when one node takes longer");
    addBytes(options, "--limit-memory", limits.memoryBytes,
             "End a run that needs more: bytes, or 500M, 2G, 1GiB; by default what the machine has left");
    addBytes(options, "--limit-node-memory", limits.nodeMemoryBytes,
             "End a run when what one node gives, or what it works in, needs more");
    addCount(options, "--limit-elements", limits.elements, "End a run when a node gives a larger tensor");
}

void addRunArguments(CLI::App& options, RunArguments& arguments) {
    addModel(options, arguments);
    addInputs(options, arguments);
    addDims(options, arguments);
    addShapes(options, arguments);
    addEngine(options, arguments);
    addPasses(options, arguments);
    addLimits(options, arguments);
}

std::pair<std::string, std::vector<int64_t>> parseNumbers(const std::string& option,
                                                          const std::string& argument) {
    const size_t equals = argument.rfind('=');
    if (equals == std::string::npos || equals == 0) {
        engine::fail(option, " ", argument, ": expected a name, '=' and numbers");
    }
    std::vector<int64_t> numbers;
    const char* at = argument.data() + equals + 1;
    const char* end = argument.data() + argument.size();
    while (at != end) {
        int64_t number = 0;
        const auto [stopped, problem] = std::from_chars(at, end, number);
        const bool isLast = stopped == end;
        if (problem != std::errc() || number < 0 || (!isLast && (*stopped != ',' || stopped + 1 == end))) {
            engine::fail(option, " ", argument, ": expected whole numbers with commas between them");
        }
        numbers.push_back(number);
        at = isLast ? end : stopped + 1;
    }
    return {argument.substr(0, equals), numbers};
}

engine::Bindings bindings(const RunArguments& arguments) {
    engine::Bindings result;
    for (const std::string& dim : arguments.dims) {
        const auto [symbol, numbers] = parseNumbers("--dim", dim);
        if (numbers.size() != 1) engine::fail("--dim ", dim, ": expected one number");
        result[symbol] = numbers[0];
    }
    return result;
}

void checkBindings(const engine::Model& model, const engine::Bindings& bindings) {
    const std::vector<std::string> symbols = model.symbols();
    for (const auto& [symbol, number] : bindings) {
        if (std::find(symbols.begin(), symbols.end(), symbol) != symbols.end()) continue;
        engine::fail("--dim ", symbol, "=", number, ": the model's inputs have no such symbol; they have: ",
                     symbols.empty() ? "none" : engine::listNames(symbols));
    }
}

std::map<std::string, engine::Dims> shapes(const RunArguments& arguments) {
    std::map<std::string, engine::Dims> result;
    for (const std::string& shape : arguments.shapes) result.insert(parseNumbers("--shape", shape));
    return result;
}

engine::PipelineOptions passOptions(const RunArguments& arguments) {
    return {.without = arguments.withoutPasses, .enabled = arguments.doesOptimize};
}

engine::SessionOptions sessionOptions(const RunArguments& arguments) {
    return {.providers = arguments.providers,
            .threads = arguments.threads,
            .passes = passOptions(arguments),
            .seed = arguments.seed};
}

std::vector<SourcedInput> collectInputs(const engine::Model& model, const RunArguments& arguments,
                                        engine::Observer& observer) {
    const std::vector<SourcedInput> read = readInputs(model, arguments.inputs, arguments.inputsFolder);
    const std::vector<engine::NamedDatum> all =
        engine::completeInputs(model, values(read),
                               {.bindings = bindings(arguments),
                                .shapes = shapes(arguments),
                                .seed = arguments.seed,
                                .memoryBytes = arguments.limits.memoryBytes},
                               observer);
    std::vector<SourcedInput> result;
    for (const engine::ValueId id : model.graph->inputs) {
        const std::string& name = model.graph->value(id).name;
        const auto isIt = [&](const engine::NamedDatum& datum) { return datum.name == name; };
        const auto found = std::find_if(all.begin(), all.end(), isIt);
        if (found == all.end()) continue;
        const auto given = std::find_if(read.begin(), read.end(),
                                        [&](const SourcedInput& input) { return isIt(input.value); });
        result.push_back(
            {*found, given != read.end() ? given->source : engine::text("made up, seed ", arguments.seed)});
    }
    return result;
}

std::vector<engine::NamedDatum> values(const std::vector<SourcedInput>& inputs) {
    std::vector<engine::NamedDatum> result;
    for (const SourcedInput& input : inputs) result.push_back(input.value);
    return result;
}

std::shared_ptr<const engine::Model> openModel(const RunArguments& arguments, engine::Observer& observer) {
    return engine::Model::open(arguments.model, observer, arguments.openLimits);
}

Prepared prepare(const RunArguments& arguments, engine::Observer& observer) {
    return prepare(arguments, sessionOptions(arguments), observer);
}

Prepared prepare(const RunArguments& arguments, const engine::SessionOptions& options,
                 engine::Observer& observer) {
    Prepared prepared;
    prepared.model = openModel(arguments, observer);
    prepared.inputs = collectInputs(*prepared.model, arguments, observer);
    prepared.session = engine::Session::create(prepared.model, options, observer);
    return prepared;
}

std::string checkPositive(const std::string& written) {
    double number = 0;
    const bool isNumber = CLI::detail::lexical_cast(written, number);
    return isNumber && number > 0 ? "" : "found " + written + ", expected a number above 0";
}

}  // namespace cli
