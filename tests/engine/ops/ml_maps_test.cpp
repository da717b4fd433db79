#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Datum;
using engine::Map;

const Datum prices = Map{strings({3}, {"bread", "milk", "tea"}), floats({3}, {1.5F, 2.5F, 3.5F})};
const Datum names = Map{int64s({2}, {3, 1}), strings({2}, {"7", "5.5"})};

const OpCases dictVectorizer(
    "ai.onnx.ml", "DictVectorizer",
    {{.name = "GivesTheValuesOfAVocabulary",
      .attributes = {stringsAttribute("string_vocabulary", {"tea", "salt", "bread"})},
      .inputs = {prices},
      .outputs = {floats({1, 3}, {3.5F, 0, 1.5F})}},
     {.name = "TakesIntegerKeys",
      .attributes = {integersAttribute("int64_vocabulary", {1, 2})},
      .inputs = {names},
      .outputs = {strings({1, 2}, {"5.5", ""})}},
     {.name = "RefusesKeysOfAnotherType",
      .attributes = {integersAttribute("int64_vocabulary", {1})},
      .inputs = {prices},
      .error = "keys of X: found elements of type string, expected int64"},
     {.name = "RefusesATensor",
      .attributes = {integersAttribute("int64_vocabulary", {1})},
      .inputs = {floats({1}, {1})},
      .error = "X: found float[1], expected a map"},
     {.name = "NeedsAVocabulary", .inputs = {prices}, .error = "found neither of int64_vocabulary"}});

const OpCases castMap("ai.onnx.ml", "CastMap",
                      {{.name = "GivesTheValuesInTheOrderOfTheirKeys",
                        .inputs = {names},
                        .outputs = {floats({1, 2}, {5.5F, 7})}},
                       {.name = "PutsValuesWhereTheirKeysSay",
                        .attributes = {attribute("map_form", "SPARSE"), attribute("max_map", 5),
                                       attribute("cast_to", "TO_STRING")},
                        .inputs = {names},
                        .outputs = {strings({1, 5}, {"", "5.5", "", "7", ""})}},
                       {.name = "TruncatesToIntegers",
                        .attributes = {attribute("cast_to", "TO_INT64")},
                        .inputs = {names},
                        .outputs = {int64s({1, 2}, {5, 7})}},
                       {.name = "WritesNumbers",
                        .attributes = {attribute("cast_to", "TO_STRING")},
                        .inputs = {Map{int64s({1}, {0}), floats({1}, {0.5F})}},
                        .outputs = {strings({1, 1}, {"0.5"})}},
                       {.name = "RefusesAKeyBeyondTheSize",
                        .attributes = {attribute("map_form", "SPARSE"), attribute("max_map", 2)},
                        .inputs = {names},
                        .error = "X: found key 3, expected 0 to 1"},
                       {.name = "RefusesWhatIsNoNumber",
                        .inputs = {Map{int64s({1}, {0}), strings({1}, {"five"})}},
                        .error = "'five' is no number"}});

Datum rows(std::vector<Datum> maps) {
    engine::Type type = maps.at(0).type();
    return engine::Sequence{std::move(type), std::move(maps)};
}

const OpCases zipMap("ai.onnx.ml", "ZipMap",
                     {{.name = "MakesAMapOfEachRow",
                       .attributes = {integersAttribute("classlabels_int64s", {5, 6})},
                       .inputs = {floats({2, 2}, {0.25F, 0.75F, 1, 0})},
                       .outputs = {rows({Map{int64s({2}, {5, 6}), floats({2}, {0.25F, 0.75F})},
                                         Map{int64s({2}, {5, 6}), floats({2}, {1, 0})}})}},
                      {.name = "NamesClassesByStrings",
                       .attributes = {stringsAttribute("classlabels_strings", {"no", "yes"})},
                       .inputs = {floats({2}, {0.25F, 0.75F})},
                       .outputs = {rows({Map{strings({2}, {"no", "yes"}), floats({2}, {0.25F, 0.75F})}})}},
                      {.name = "RefusesAnotherNumberOfClasses",
                       .attributes = {integersAttribute("classlabels_int64s", {5, 6})},
                       .inputs = {floats({1, 3}, {0, 0, 1})},
                       .error = "X: found shape [1, 3], expected a last axis of 2 classes"}});

}  // namespace
}  // namespace test
