#include <set>

#include <gtest/gtest.h>

#include "engine/core/text.h"
#include "engine/ops/op.h"
#include "tests/support/op_case.h"

namespace engine {
namespace {

TEST(Registry, EveryOperatorHasACase) {
    std::set<const OpDef*> covered;
    std::set<const OpUpgrade*> upgraded;
    for (const auto& each : test::allOpCases()) {
        covered.insert(findOp(each.domain, each.op, each.version));
        upgraded.insert(findUpgrade(each.domain, each.op, each.version));
    }
    for (const OpDef* op : Registry<OpDef>::instance().entries()) {
        EXPECT_TRUE(covered.count(op))
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

}  // namespace
}  // namespace engine
