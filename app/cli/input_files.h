#pragma once

#include <string>
#include <vector>

#include "app/cli/run_arguments.h"

namespace cli {

/// The inputs that NAME=FILE arguments and a folder ("" for none) give; an argument wins over the folder.
/// Throws engine::Error for a name that the model does not have, for a file that cannot be read, and for a
/// folder that has none of the inputs.
std::vector<SourcedInput> readInputs(const engine::Model& model, const std::vector<std::string>& files,
                                     const std::string& folder);

}  // namespace cli
