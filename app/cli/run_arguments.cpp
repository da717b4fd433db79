#include "app/cli/run_arguments.h"

#include <charconv>

#include <CLI/CLI.hpp>

#include "app/cli/input_files.h"
#include "engine/core/error.h"

namespace cli {
namespace {

template <class T>
CLI::Option* addList(CLI::App& options, const std::string& name, T& into, const std::string& description) {
    return options.add_option(name, into, description)->allow_extra_args(false);
}

}  // namespace

void addModel(CLI::App& options, RunArguments& arguments) {
    options.add_option("MODEL", arguments.model, "ONNX file, or .onnxtxt in ONNX's text syntax")->required();
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
    options.add_option("--limit-seconds", arguments.limitSeconds, "End a run that takes longer")
        ->check(checkPositive)
        ->type_name("S");
    options
        .add_option("--limit-memory", arguments.limitMemory,
                    "End a run that needs more: bytes, or 500M, 2G, 1GiB")
        ->transform(CLI::AsSizeValue(true))
        ->type_name("BYTES");
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
                     symbols.empty() ? "none" : engine::join(symbols, ", "));
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

engine::Limits limits(const RunArguments& arguments) {
    return {.seconds = arguments.limitSeconds, .memoryBytes = arguments.limitMemory};
}

std::vector<SourcedInput> collectInputs(const engine::Model& model, const RunArguments& arguments) {
    const std::vector<SourcedInput> read = readInputs(model, arguments.inputs, arguments.inputsFolder);
    const std::vector<engine::NamedDatum> all = engine::completeInputs(
        model, values(read),
        {.bindings = bindings(arguments), .shapes = shapes(arguments), .seed = arguments.seed});
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

Prepared prepare(const RunArguments& arguments, engine::Observer& observer) {
    return prepare(arguments, sessionOptions(arguments), observer);
}

Prepared prepare(const RunArguments& arguments, const engine::SessionOptions& options,
                 engine::Observer& observer) {
    Prepared prepared;
    prepared.model = engine::Model::open(arguments.model, observer);
    prepared.inputs = collectInputs(*prepared.model, arguments);
    prepared.session = engine::Session::create(prepared.model, options, observer);
    return prepared;
}

std::string checkPositive(const std::string& written) {
    double number = 0;
    const bool isNumber = CLI::detail::lexical_cast(written, number);
    return isNumber && number > 0 ? "" : "found " + written + ", expected a number above 0";
}

}  // namespace cli
