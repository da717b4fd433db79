#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const engine::Tensor one = floats({1}, {1});
const engine::Tensor two = floats({2}, {2, 3});
const engine::Datum both = sequence({one, two});

const OpCases construct("SequenceConstruct",
                        {{.name = "KeepsTheOrder", .inputs = {one, two}, .outputs = {both}},
                         {.name = "RefusesMixedElementTypes",
                          .inputs = {one, int64s({1}, {1})},
                          .error = "input 1 is int64, input 0 is float"}});
const OpCases empty("SequenceEmpty",
                    {{.name = "HasNoItems",
                      .attributes = {attribute("dtype", 7)},
                      .outputs = {emptySequence(engine::Type::tensor(engine::DataType::int64))}}});
const OpCases at("SequenceAt", {{.name = "CountsFromTheBackIfNegative",
                                 .inputs = {both, int64s({}, {-1})},
                                 .outputs = {two}},
                                {.name = "RefusesAPositionBeyondTheEnd",
                                 .inputs = {both, int64s({}, {2})},
                                 .error = "position 2 is out of range for a sequence of 2"}});
const OpCases insert("SequenceInsert", {{.name = "AppendsWithoutAPosition",
                                         .inputs = {sequence({one}), two},
                                         .outputs = {both}},
                                        {.name = "InsertsBeforeAPosition",
                                         .inputs = {sequence({two}), one, int64s({}, {0})},
                                         .outputs = {both}}});
const OpCases erase(
    "SequenceErase",
    {{.name = "TakesTheLastWithoutAPosition", .inputs = {both}, .outputs = {sequence({one})}},
     {.name = "TakesTheOneNamed", .inputs = {both, int64s({}, {0})}, .outputs = {sequence({two})}}});
const OpCases length("SequenceLength", {{.name = "Counts", .inputs = {both}, .outputs = {int64s({}, {2})}}});

const OpCases optional("Optional", {{.name = "HoldsItsInput", .inputs = {one}, .outputs = {one}}});
const OpCases hasElement("OptionalHasElement",
                         {{.name = "SaysYesForATensor", .inputs = {one}, .outputs = {bools({}, {true})}}});
const OpCases getElement("OptionalGetElement",
                         {{.name = "GivesWhatIsHeld", .inputs = {both}, .outputs = {both}}});

}  // namespace
}  // namespace test
