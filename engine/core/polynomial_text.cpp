#include <algorithm>
#include <cstdlib>

#include "engine/core/polynomial.h"

namespace engine::algebra {
namespace {

std::string listed(const std::vector<Polynomial>& operands) {
    std::string list;
    for (const Polynomial& operand : operands) list += (list.empty() ? "" : ", ") + text(operand);
    return list;
}

/// In brackets unless it is a number or one atom that stands without.
std::string asDividend(const Polynomial& polynomial) {
    const Atom* atom = polynomial.onlyAtom();
    const bool isPlain =
        polynomial.number().value_or(-1) >= 0 || (atom != nullptr && atom->kind != Atom::Kind::floorDivision);
    return isPlain ? text(polynomial) : "(" + text(polynomial) + ")";
}

/// A product needs no brackets before a slash: 3*h/2 rounds only once either way.
bool isProduct(const Polynomial& polynomial) {
    if (polynomial.terms().size() != 1 || polynomial.terms().begin()->second < 0) return false;
    const Monomial& monomial = polynomial.terms().begin()->first;
    return std::none_of(monomial.begin(), monomial.end(),
                        [](const auto& factor) { return factor.first->kind == Atom::Kind::floorDivision; });
}

std::string text(const Atom& atom) {
    switch (atom.kind) {
        case Atom::Kind::symbol:
            return atom.name;
        case Atom::Kind::minimum:
            return "min(" + listed(atom.operands) + ")";
        case Atom::Kind::maximum:
            return "max(" + listed(atom.operands) + ")";
        case Atom::Kind::floorDivision:
            break;
    }
    const Polynomial& dividend = atom.operands[0];
    const std::string top = isProduct(dividend) ? text(dividend) : asDividend(dividend);
    return top + "/" + asDividend(atom.operands[1]);
}

std::string text(const Monomial& monomial, uint64_t magnitude) {
    const bool isAlone = monomial.size() == 1 && monomial[0].second == 1 && magnitude == 1;
    std::string product = magnitude == 1 && !monomial.empty() ? "" : std::to_string(magnitude);
    for (const auto& [atom, power] : monomial) {
        const bool needsBrackets = atom->kind == Atom::Kind::floorDivision && !isAlone;
        if (!product.empty()) product += "*";
        product += needsBrackets ? "(" + text(*atom) + ")" : text(*atom);
        if (power > 1) product += "^" + std::to_string(power);
    }
    return product;
}

}  // namespace

std::string text(const Polynomial& polynomial) {
    if (polynomial.isZero()) return "0";
    const auto& terms = polynomial.terms();
    auto first = std::find_if(terms.begin(), terms.end(), [](const auto& term) { return term.second > 0; });
    if (first == terms.end()) first = terms.begin();
    std::string sum;
    const auto append = [&](const Monomial& monomial, int64_t coefficient) {
        if (coefficient < 0) sum += "-";
        if (coefficient > 0 && !sum.empty()) sum += "+";
        const auto magnitude = static_cast<uint64_t>(coefficient);
        sum += text(monomial, coefficient < 0 ? 0 - magnitude : magnitude);
    };
    append(first->first, first->second);
    for (auto term = terms.begin(); term != terms.end(); ++term) {
        if (term != first) append(term->first, term->second);
    }
    return sum;
}

}  // namespace engine::algebra
