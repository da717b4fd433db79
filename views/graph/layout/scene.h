#pragma once

#include <functional>
#include <string_view>

#include "views/graph/layout/protocol.h"

namespace layout {

/// Lays out a whole scene. Equal requests get equal responses. `progress` may be empty.
Response layoutScene(const Request& request,
                     const std::function<void(double fraction, std::string_view what)>& progress = {});

}  // namespace layout
