#include <set>

#include <gtest/gtest.h>

#include "engine/core/text.h"
#include "engine/model.h"
#include "engine/ops/op.h"
#include "tests/support/op_case.h"

namespace engine {
namespace {

/// Operators that run a body: their tests are graphs, in if_test.cpp, loop_test.cpp, scan_test.cpp and
/// session_test.cpp.
bool hasBody(const OpDef& op) {
    static const std::set<std::string> names{"If", "Loop", "Scan", "SequenceMap"};
    return names.contains(op.name);
}

TEST(Registry, EveryOperatorHasACase) {
    std::set<const OpDef*> covered;
    std::set<const OpUpgrade*> upgraded;
    for (const auto& each : test::allOpCases()) {
        covered.insert(findOp(each.domain, each.op, each.version));
        upgraded.insert(findUpgrade(each.domain, each.op, each.version));
    }
    for (const OpDef* op : Registry<OpDef>::instance().entries()) {
        EXPECT_TRUE(covered.count(op) || hasBody(*op) || op->custom != nullptr)
            << "no case for " << op->domain << " " << op->name << " from version " << op->sinceVersion;
    }
    for (const OpUpgrade* upgrade : Registry<OpUpgrade>::instance().entries()) {
        EXPECT_TRUE(upgraded.count(upgrade)) << "no case for the upgrade of " << upgrade->domain << " "
                                             << upgrade->name << " from version " << upgrade->sinceVersion;
    }
}

TEST(Registry, NamesWhatIsMeantByAMistypedOperator) {
    EXPECT_EQ(whyUnknown("", "Rehsape", 13),
              "there is no operator Rehsape in ai.onnx; did you mean Reshape?");
}

TEST(Registry, UpgradesRefuseOmittedInputs) {
    for (const char* node :
         {"Add <broadcast = 1, axis = 1> (, b)", "Mul (a, )", "PRelu (a, )", "PRelu (a)"}) {
        const auto model =
            Model::parse(text("<ir_version: 3, opset_import: [\"\" : 6]> agraph (float[2] a, float[2] b) => "
                              "(float[2] y) { y = ",
                              node, " }"));
        ASSERT_FALSE(model->diagnostics.empty()) << node;
        EXPECT_NE(model->diagnostics[0].message.find("expected 2"), std::string::npos)
            << model->diagnostics[0].message;
    }
}

}  // namespace
}  // namespace engine
