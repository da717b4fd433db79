#pragma once

#include <string>
#include <vector>

#include "engine/report/json.h"
#include "engine/session.h"

namespace cli {

/// One output held against what is expected of it.
struct OutputCheck {
    std::string name;
    std::string file = {};
    double tolerance = 0;  ///< share of the largest magnitude
    engine::Difference difference = {};
    std::string note = {};  ///< why nothing was compared

    bool isRight() const { return !note.empty() || difference.isWithin; }
};

/// Compares with the files of a folder: NAME.npy, or output_K.pb. A negative tolerance is the one that fits
/// the element type. An output without a file is noted; Throws engine::Error if no output has one.
std::vector<OutputCheck> checkOutputs(const engine::Model& model,
                                      const std::vector<engine::NamedDatum>& outputs,
                                      const std::string& folder, double tolerance);

std::string checksText(const std::vector<OutputCheck>& checks);
engine::Json checksJson(const std::vector<OutputCheck>& checks);

/// "[0, 3] is 1.25, expected 1.5 (…)" or what else is wrong.
std::string differenceText(const engine::Difference& difference);

}  // namespace cli
