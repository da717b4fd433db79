#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases stringNormalizer(
    "StringNormalizer",
    {{.name = "KeepsWordsByDefault",
      .inputs = {strings({3}, {"monday", "tuesday", "Monday"})},
      .outputs = {strings({3}, {"monday", "tuesday", "Monday"})}},
     {.name = "DropsStopwordsWhateverTheirCase",
      .attributes = {stringsAttribute("stopwords", {"MONDAY"})},
      .inputs = {strings({3}, {"monday", "tuesday", "Monday"})},
      .outputs = {strings({1}, {"tuesday"})}},
     {.name = "MindsTheCaseIfTold",
      .attributes = {stringsAttribute("stopwords", {"monday"}), attribute("is_case_sensitive", 1)},
      .inputs = {strings({3}, {"monday", "tuesday", "Monday"})},
      .outputs = {strings({2}, {"tuesday", "Monday"})}},
     {.name = "RaisesLetters",
      .attributes = {attribute("case_change_action", "UPPER")},
      .inputs = {strings({2}, {"äpfel", "ß1"})},
      .outputs = {strings({2}, {"ÄPFEL", "ß1"})}},
     {.name = "LowersLetters",
      .attributes = {attribute("case_change_action", "LOWER"), attribute("is_case_sensitive", 1),
                     stringsAttribute("stopwords", {"a"})},
      .inputs = {strings({3}, {"A", "a", "ÉÑ"})},
      .outputs = {strings({2}, {"a", "éñ"})}},
     {.name = "GivesOneEmptyStringForNothing",
      .attributes = {stringsAttribute("stopwords", {"monday", "tuesday"})},
      .inputs = {strings({3}, {"monday", "tuesday", "Monday"})},
      .outputs = {strings({1}, {""})}},
     {.name = "TakesARow",
      .attributes = {stringsAttribute("stopwords", {"tuesday"})},
      .inputs = {strings({1, 2}, {"monday", "tuesday"})},
      .outputs = {strings({1, 1}, {"monday"})}},
     {.name = "RefusesTwoRows",
      .inputs = {strings({2, 1}, {"a", "b"})},
      .error = "X: found shape [2, 1], expected [n] or [1, n]"},
     {.name = "RefusesAnUnknownAction",
      .attributes = {attribute("case_change_action", "TITLE")},
      .inputs = {strings({3}, {"monday", "tuesday", "Monday"})},
      .error = "attribute 'case_change_action' is 'TITLE'"}});

}  // namespace
}  // namespace test
