#include <algorithm>

#include "engine/core/polynomial.h"

// Two ways to a lower bound. Writing every atom as its own lower bound plus something >= 0 and multiplying
// out proves the bounds of products: h*w - h with h = 1 + h', w = 1 + w' is w' + h'*w' >= 0. Where a negative
// term is left, an atom is replaced by what surely makes the sum no larger: -(R/n) by -R/n (all times n),
// -min(a, b) by -a, and so on, and the sum is tried again.

namespace engine::algebra {
namespace {

constexpr int mostTries = 64;
constexpr int highestDegree = 8;

class Bounds {
public:
    std::optional<int64_t> of(const Polynomial& polynomial) {
        if (++tries_ > mostTries) return {};
        if (const auto bound = byShifting(polynomial)) return bound;
        for (const auto& [monomial, coefficient] : polynomial.terms()) {
            for (size_t i = 0; i < monomial.size(); ++i) {
                if (const auto bound = byRelaxing(polynomial, monomial, coefficient, i)) return bound;
            }
        }
        return {};
    }

private:
    std::optional<int64_t> ofAtom(const Atom& atom) {
        switch (atom.kind) {
            case Atom::Kind::symbol:
                return 1;
            case Atom::Kind::floorDivision:
                return ofDivision(atom);
            case Atom::Kind::minimum:
                return ofExtremum(atom);
            case Atom::Kind::maximum:
                return ofExtremum(atom);
        }
        return {};
    }

    std::optional<int64_t> ofDivision(const Atom& atom) {
        const auto dividend = of(atom.operands[0]);
        if (!dividend) return {};
        if (const auto divisor = atom.operands[1].number()) {
            const int64_t quotient = *dividend / *divisor;
            return *dividend % *divisor < 0 ? quotient - 1 : quotient;
        }
        const auto divisor = of(atom.operands[1]);
        if (divisor && *divisor >= 1 && *dividend >= 0) return 0;
        return {};
    }

    /// The least of all operands' bounds for a minimum, the greatest of those known for a maximum.
    std::optional<int64_t> ofExtremum(const Atom& atom) {
        std::optional<int64_t> result;
        for (const Polynomial& operand : atom.operands) {
            const auto bound = of(operand);
            if (!bound && atom.kind == Atom::Kind::minimum) return {};
            if (!bound) continue;
            const bool isBetter =
                !result || (atom.kind == Atom::Kind::minimum ? *bound < *result : *bound > *result);
            if (isBetter) result = bound;
        }
        return result;
    }

    std::optional<int64_t> byShifting(const Polynomial& polynomial) {
        Polynomial expanded;
        for (const auto& [monomial, coefficient] : polynomial.terms()) {
            Polynomial product(coefficient);
            int degree = 0;
            for (const auto& [atom, power] : monomial) {
                degree += power;
                const auto bound = ofAtom(*atom);
                if (!bound || degree > highestDegree) return {};
                const Polynomial shifted = Polynomial::of(atom) + Polynomial(*bound);
                for (int i = 0; i < power; ++i) product = product * shifted;
            }
            expanded = expanded + product;
        }
        const bool canBeLess =
            std::any_of(expanded.terms().begin(), expanded.terms().end(),
                        [](const auto& term) { return !term.first.empty() && term.second < 0; });
        if (canBeLess) return {};
        return expanded.constantTerm();
    }

    /// Replaces factor `index` of one term, if the term's other factors cannot be negative.
    std::optional<int64_t> byRelaxing(const Polynomial& polynomial, const Monomial& monomial,
                                      int64_t coefficient, size_t index) {
        const Atom& atom = *monomial[index].first;
        if (atom.kind == Atom::Kind::symbol || monomial[index].second != 1) return {};
        Polynomial others(coefficient);
        for (size_t i = 0; i < monomial.size(); ++i) {
            if (i == index) continue;
            const auto bound = ofAtom(*monomial[i].first);
            if (!bound || *bound < 0) return {};
            for (int power = 0; power < monomial[i].second; ++power) {
                others = others * Polynomial::of(monomial[i].first);
            }
        }
        Polynomial rest = polynomial;
        rest.add(monomial, -coefficient);
        const bool isNegative = coefficient < 0;
        if (atom.kind == Atom::Kind::floorDivision) return relaxedDivision(rest, others, atom, isNegative);
        const bool anyWillDo = isNegative == (atom.kind == Atom::Kind::minimum);
        std::optional<int64_t> result;
        for (const Polynomial& operand : atom.operands) {
            const auto bound = of(rest + others * operand);
            if (anyWillDo && bound) return bound;
            if (!anyWillDo && !bound) return {};
            if (!anyWillDo) result = result ? std::min(*result, *bound) : bound;
        }
        return result;
    }

    std::optional<int64_t> relaxedDivision(const Polynomial& rest, const Polynomial& others, const Atom& atom,
                                           bool isNegative) {
        const auto divisor = atom.operands[1].number();
        if (!divisor) return {};
        const Polynomial dividend =
            isNegative ? atom.operands[0] : atom.operands[0] - Polynomial(*divisor - 1);
        const auto bound = of(rest * Polynomial(*divisor) + others * dividend);
        if (!bound) return {};
        return *bound >= 0 ? (*bound - 1) / *divisor + (*bound > 0 ? 1 : 0) : -(-*bound / *divisor);
    }

    int tries_ = 0;
};

}  // namespace

std::optional<int64_t> lowerBound(const Polynomial& polynomial) {
    if (const auto number = polynomial.number()) return number;
    try {
        return Bounds().of(polynomial);
    } catch (const TooLarge&) {
        return {};
    }
}

}  // namespace engine::algebra
