#pragma once

namespace engine {

/// The style sheet and the script of the HTML report.
extern const char* const pageStyle;
extern const char* const pageScript;

}  // namespace engine
