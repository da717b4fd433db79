#include "engine/ops/documentation.h"

#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "engine/ops/op.h"
#include "engine/schema.h"

namespace engine {
namespace {

/// Also those of com.microsoft.nchwc.
std::vector<OperatorForm> microsoftForms() {
    std::vector<OperatorForm> forms = operatorForms();
    std::erase_if(forms, [](const OperatorForm& form) { return !form.domain.starts_with("com.microsoft"); });
    return forms;
}

TEST(Documentation, SaysWhatEveryOperatorOfComMicrosoftComputes) {
    size_t documented = 0;
    for (const OperatorForm& form : microsoftForms()) {
        SCOPED_TRACE(form.name);
        const auto schema = operatorSchema(form.domain, form.name, form.sinceVersion);
        ASSERT_NE(schema, nullptr);
        EXPECT_TRUE(schema->documentation.ends_with('.')) << schema->documentation;
        if (form.runs == FormRuns::never) continue;
        ++documented;
        EXPECT_FALSE(schema->inputs.empty());
        EXPECT_FALSE(schema->outputs.empty());
    }
    EXPECT_GT(documented, 90);
}

TEST(Documentation, ExplainsEachNameOnce) {
    for (const OpDocumentation* each : Registry<OpDocumentation>::instance().entries()) {
        SCOPED_TRACE(each->name);
        std::set<std::string> names;
        std::set<std::string> types;
        for (const auto& [name, allowed] : each->types) types.insert(name);
        for (const auto* list : {&each->inputs, &each->outputs}) {
            names.clear();
            for (const OpDocumentation::Parameter& parameter : *list) {
                EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
                EXPECT_NE(std::string(parameter.text), "") << parameter.name;
                const bool isNamed = dataTypeNamed(parameter.type).has_value();
                EXPECT_TRUE(isNamed || types.contains(parameter.type)) << parameter.type;
            }
        }
        names.clear();
        for (const auto* list : {&each->required, &each->attributes}) {
            for (const OpDocumentation::Attribute& attribute : *list) {
                EXPECT_TRUE(names.insert(attribute.name).second) << attribute.name;
                EXPECT_NE(std::string(attribute.text), "") << attribute.name;
            }
        }
    }
}

TEST(Documentation, IsOfOperatorsThatTheEngineRuns) {
    std::set<std::pair<std::string, std::string>> run;
    for (const OperatorForm& form : microsoftForms()) {
        if (form.runs != FormRuns::never) run.emplace(form.domain, form.name);
    }
    for (const OpDocumentation* each : Registry<OpDocumentation>::instance().entries()) {
        EXPECT_TRUE(run.contains({each->domain, each->name})) << each->name;
    }
}

TEST(Documentation, TellsOfRefusedOperatorsWhy) {
    const auto schema = operatorSchema("com.microsoft", "BeamSearch", 1);
    ASSERT_NE(schema, nullptr);
    EXPECT_NE(schema->documentation.find(findRefusal("com.microsoft", "BeamSearch")->reason),
              std::string::npos);
}

}  // namespace
}  // namespace engine
