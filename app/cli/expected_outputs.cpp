#include "app/cli/expected_outputs.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "engine/core/error.h"
#include "engine/core/name_list.h"
#include "engine/io/datum_files.h"

namespace cli {
namespace {

engine::DataType elementOf(const engine::Datum& datum) {
    if (datum.isEmpty()) return engine::DataType::undefined;
    engine::Type type = datum.type();
    while (type.inner != nullptr) type = engine::Type(*type.inner);
    return type.element;
}

/// What two right implementations may differ by, as a share of the largest magnitude.
double usualTolerance(engine::DataType type) {
    switch (type) {
        case engine::DataType::float32:
        case engine::DataType::float64:
        case engine::DataType::complex64:
        case engine::DataType::complex128:
            return 1e-4;
        default:
            return engine::isFloatingPoint(type) ? 1e-2 : 0;
    }
}

OutputCheck check(const engine::NamedDatum& output, const engine::FoundDatum& expected, double tolerance) {
    OutputCheck result{.name = output.name, .file = expected.path.string()};
    result.tolerance = tolerance >= 0 ? tolerance : usualTolerance(elementOf(output.datum));
    result.difference = engine::compare(output.datum, expected.datum, 0, 0);
    engine::Difference& difference = result.difference;
    if (difference.problem.empty()) {
        difference.isWithin = difference.largest <= result.tolerance * difference.largestMagnitude;
    }
    return result;
}

std::string number(double value) {
    std::ostringstream stream;
    stream << std::setprecision(9) << value;
    return stream.str();
}

std::string shareText(const engine::Difference& difference) {
    std::ostringstream stream;
    stream << std::setprecision(3) << difference.largest / difference.largestMagnitude;
    return difference.largestMagnitude > 0 ? stream.str() : std::string("n/a");
}

}  // namespace

std::vector<OutputCheck> checkOutputs(const engine::Model& model,
                                      const std::vector<engine::NamedDatum>& outputs,
                                      const std::string& folder, double tolerance) {
    std::vector<OutputCheck> checks;
    std::vector<std::string> names;
    for (size_t i = 0; i < outputs.size(); ++i) {
        const engine::NamedDatum& output = outputs[i];
        names.push_back(output.name);
        const engine::Type declared =
            output.datum.isEmpty() ? model.graph->value(model.graph->outputs[i]).type : output.datum.type();
        const auto expected = engine::findDatum(folder, output.name, engine::text("output_", i), declared);
        if (expected) {
            checks.push_back(check(output, *expected, tolerance));
        } else if (output.datum.isEmpty() ||
                   (output.datum.isSequence() && output.datum.sequence().items.empty())) {
            checks.push_back({.name = output.name, .note = "empty, and there is no file"});
        } else {
            checks.push_back({.name = output.name, .note = "not compared: there is no file for it"});
        }
    }
    const bool hasNone =
        std::all_of(checks.begin(), checks.end(), [](const OutputCheck& each) { return each.file.empty(); });
    if (hasNone) {
        engine::fail("--expect ", folder,
                     ": found no file for any output, expected NAME.npy or output_K.pb; the outputs are ",
                     engine::listNames(names));
    }
    return checks;
}

std::string differenceText(const engine::Difference& difference) {
    if (!difference.problem.empty()) {
        return difference.index.empty()
                   ? difference.problem
                   : engine::text(engine::listText(difference.index), ": ", difference.problem);
    }
    if (difference.largest == 0) return "equal";
    return engine::text("differs most at ", engine::listText(difference.index), ": ",
                        number(difference.found), ", expected ", number(difference.expected), " (",
                        shareText(difference), " of the largest magnitude ",
                        number(difference.largestMagnitude), ")");
}

std::string checksText(const std::vector<OutputCheck>& checks) {
    std::string result;
    for (const OutputCheck& each : checks) {
        const char* verdict = !each.note.empty() ? "  ?  " : each.isRight() ? "  ok " : "  NO ";
        result += engine::text(verdict, each.name, ": ",
                               each.note.empty() ? differenceText(each.difference) : each.note);
        if (!each.isRight() && each.difference.problem.empty()) {
            result += engine::text(", allowed ", each.tolerance);
        }
        result += '\n';
    }
    return result;
}

engine::Json checksJson(const std::vector<OutputCheck>& checks) {
    engine::Json json = engine::Json::array();
    for (const OutputCheck& each : checks) {
        if (!each.note.empty()) {
            json.push_back({{"output", each.name}, {"note", each.note}});
            continue;
        }
        const engine::Difference& difference = each.difference;
        engine::Json entry = {{"output", each.name},
                              {"file", each.file},
                              {"is_within", difference.isWithin},
                              {"tolerance", each.tolerance}};
        if (!difference.problem.empty()) {
            entry["problem"] = difference.problem;
        } else {
            entry["largest_difference"] = engine::finite(difference.largest);
            entry["largest_magnitude"] = difference.largestMagnitude;
        }
        if (!difference.index.empty() || difference.largest > 0) {
            entry["index"] = difference.index;
            entry["found"] = engine::finite(difference.found);
            entry["expected"] = engine::finite(difference.expected);
        }
        json.push_back(std::move(entry));
    }
    return json;
}

}  // namespace cli
