#include "app/cli/input_files.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/name_list.h"
#include "engine/io/datum_files.h"

namespace cli {
namespace {

std::vector<std::string> inputNames(const engine::Model& model) {
    std::vector<std::string> names;
    for (const engine::ValueId id : model.graph->inputs) names.push_back(model.graph->value(id).name);
    return names;
}

/// The position of the input that NAME=FILE names; names may hold '=' themselves, so the longest that fits
/// wins.
size_t findInput(const engine::Model& model, const std::string& argument) {
    const std::vector<std::string> names = inputNames(model);
    size_t best = names.size();
    for (size_t i = 0; i < names.size(); ++i) {
        const bool fits = argument.starts_with(names[i] + "=");
        if (fits && (best == names.size() || names[i].size() > names[best].size())) best = i;
    }
    if (best < names.size()) return best;
    const size_t equals = argument.find('=');
    if (equals == std::string::npos) engine::fail("--input ", argument, ": expected NAME=FILE");
    const std::string wanted = argument.substr(0, equals);
    const std::string near = engine::closestWord(wanted, names);
    engine::fail("--input ", argument, ": the model has no input '", wanted, "'; ",
                 near.empty() ? "it has: " + engine::listNames(names) : "did you mean '" + near + "'?");
}

}  // namespace

std::vector<SourcedInput> readInputs(const engine::Model& model, const std::vector<std::string>& files,
                                     const std::string& folder) {
    std::vector<SourcedInput> result;
    std::vector<char> isGiven(model.graph->inputs.size(), 0);
    const auto valueAt = [&](size_t position) -> const engine::Value& {
        return model.graph->value(model.graph->inputs[position]);
    };
    for (const std::string& argument : files) {
        const size_t position = findInput(model, argument);
        const engine::Value& value = valueAt(position);
        if (isGiven[position] != 0) engine::fail("--input ", argument, ": '", value.name, "' is given twice");
        isGiven[position] = 1;
        const std::string path = argument.substr(value.name.size() + 1);
        result.push_back({{value.name, engine::readDatum(path, value.name, value.type)}, path});
    }
    if (folder.empty()) return result;
    bool foundAny = false;
    for (size_t i = 0; i < isGiven.size(); ++i) {
        const engine::Value& value = valueAt(i);
        const auto found = engine::findDatum(folder, value.name, engine::text("input_", i), value.type);
        foundAny = foundAny || found.has_value();
        if (found && isGiven[i] == 0) result.push_back({{value.name, found->datum}, found->path.string()});
    }
    if (!foundAny) {
        engine::fail("--inputs ", folder,
                     ": found no file for any input, expected NAME.npy or input_K.pb; the inputs are ",
                     engine::join(inputNames(model), ", "));
    }
    return result;
}

}  // namespace cli
