#include <map>
#include <tuple>

#include "engine/onnx/function_body.h"
#include "engine/ops/op.h"
#include "engine/ops/op_body.h"
#include "engine/schema.h"

namespace engine {
namespace {

OperatorForm formOf(const std::string& domain, const std::string& name, int version, bool isDeprecated) {
    OperatorForm form{.domain = domain, .name = name, .sinceVersion = version};
    if (findOp(domain, name, version) != nullptr) {
        form.runs = FormRuns::kernel;
    } else if (findUpgrade(domain, name, version) != nullptr) {
        form.runs = FormRuns::rewritten;
    } else if (onnx::hasSchemaFunction({.operatorType = name, .domain = domain, .version = version})) {
        form.runs = FormRuns::function;
    } else if (isDeprecated) {
        form.runs = FormRuns::removed;
    } else if (const OpRefusal* refusal = findRefusal(domain, name)) {
        form.reason = refusal->reason;
    }
    return form;
}

}  // namespace

std::vector<OperatorForm> operatorForms() {
    std::map<std::tuple<std::string, std::string, int>, bool> known;  // to: is deprecated
    for (const SpecifiedOperator& one : specifiedOperators()) {
        known[{one.domain, one.name, one.sinceVersion}] = one.isDeprecated;
    }
    for (const OpDef* op : Registry<OpDef>::instance().entries()) {
        known.try_emplace({op->domain, op->name, op->sinceVersion}, false);
    }
    for (const OpUpgrade* upgrade : Registry<OpUpgrade>::instance().entries()) {
        known.try_emplace({upgrade->domain, upgrade->name, upgrade->sinceVersion}, false);
    }
    for (const OpBody* body : Registry<OpBody>::instance().entries()) {
        const auto next = known.lower_bound({body->domain, body->name, 0});
        const bool isSpecified = next != known.end() && std::get<0>(next->first) == body->domain &&
                                 std::get<1>(next->first) == body->name;
        if (!isSpecified) known.try_emplace({body->domain, body->name, 1}, false);
    }
    for (const OpRefusal* refusal : Registry<OpRefusal>::instance().entries()) {
        if (*refusal->domain != '\0') known.try_emplace({refusal->domain, refusal->name, 1}, false);
    }
    std::vector<OperatorForm> forms;
    for (const auto& [form, isDeprecated] : known) {
        const auto& [domain, name, version] = form;
        forms.push_back(formOf(domain, name, version, isDeprecated));
    }
    return forms;
}

}  // namespace engine
