#include "engine/core/polynomial.h"

#include <algorithm>
#include <numeric>

namespace engine::algebra {
namespace {

constexpr size_t mostTerms = 256;
constexpr int highestPower = 64;

int64_t checkedAdd(int64_t left, int64_t right) {
    int64_t result = 0;
    if (__builtin_add_overflow(left, right, &result)) throw TooLarge{};
    return result;
}

int64_t checkedMultiply(int64_t left, int64_t right) {
    int64_t result = 0;
    if (__builtin_mul_overflow(left, right, &result)) throw TooLarge{};
    return result;
}

/// The divisor must be positive.
int64_t flooredQuotient(int64_t dividend, int64_t divisor) {
    const int64_t quotient = dividend / divisor;
    return dividend % divisor < 0 ? quotient - 1 : quotient;
}

std::strong_ordering compare(const Atom& left, const Atom& right) {
    if (&left == &right) return std::strong_ordering::equal;
    if (const auto order = left.kind <=> right.kind; order != 0) return order;
    if (const auto order = left.name <=> right.name; order != 0) return order;
    if (const auto order = left.operands.size() <=> right.operands.size(); order != 0) return order;
    for (size_t i = 0; i < left.operands.size(); ++i) {
        const auto order = algebra::compare(left.operands[i], right.operands[i]);
        if (order != 0) return order;
    }
    return std::strong_ordering::equal;
}

int degree(const Monomial& monomial) {
    return std::accumulate(monomial.begin(), monomial.end(), 0,
                           [](int sum, const auto& factor) { return sum + factor.second; });
}

/// Greater: stands first.
std::strong_ordering compare(const Monomial& left, const Monomial& right) {
    if (const auto order = degree(left) <=> degree(right); order != 0) return order;
    for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        const auto order = compare(*right[i].first, *left[i].first);
        if (order != 0) return order;
        if (left[i].second != right[i].second) return left[i].second <=> right[i].second;
    }
    return left.size() <=> right.size();
}

Monomial multiply(const Monomial& left, const Monomial& right) {
    Monomial product;
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() || r != right.end()) {
        const auto order = l == left.end()    ? std::strong_ordering::greater
                           : r == right.end() ? std::strong_ordering::less
                                              : compare(*l->first, *r->first);
        if (order < 0) {
            product.push_back(*l++);
        } else if (order > 0) {
            product.push_back(*r++);
        } else {
            product.emplace_back(l->first, l->second + r->second);
            if (product.back().second > highestPower) throw TooLarge{};
            ++l;
            ++r;
        }
    }
    return product;
}

/// `dividend` with `divisor`'s powers taken off, or nothing if it has not as many.
std::optional<Monomial> divide(const Monomial& dividend, const Monomial& divisor) {
    Monomial quotient;
    auto d = divisor.begin();
    for (const auto& [atom, power] : dividend) {
        int left = power;
        if (d != divisor.end() && compare(*atom, *d->first) == 0) {
            left -= d->second;
            ++d;
        }
        if (left < 0) return {};
        if (left > 0) quotient.emplace_back(atom, left);
    }
    if (d != divisor.end()) return {};
    return quotient;
}

Polynomial scaled(const Polynomial& polynomial, const Monomial& monomial, int64_t factor) {
    Polynomial result;
    for (const auto& [own, coefficient] : polynomial.terms()) {
        result.add(multiply(own, monomial), checkedMultiply(coefficient, factor));
    }
    return result;
}

/// What divides every term of both: the greatest number and the greatest monomial.
struct Content {
    int64_t number = 0;
    Monomial monomial;
};

Monomial commonFactor(const Monomial& left, const Monomial& right) {
    Monomial common;
    for (const auto& [atom, power] : left) {
        for (const auto& [other, otherPower] : right) {
            if (compare(*atom, *other) == 0) common.emplace_back(atom, std::min(power, otherPower));
        }
    }
    return common;
}

Content commonContent(const Polynomial& left, const Polynomial& right) {
    Content content;
    bool isFirst = true;
    for (const Polynomial* polynomial : {&left, &right}) {
        for (const auto& [monomial, coefficient] : polynomial->terms()) {
            content.number = std::gcd(content.number, coefficient);
            content.monomial = isFirst ? monomial : commonFactor(content.monomial, monomial);
            isFirst = false;
        }
    }
    return content;
}

Polynomial withoutContent(const Polynomial& polynomial, const Content& content) {
    Polynomial result;
    for (const auto& [monomial, coefficient] : polynomial.terms()) {
        result.add(*divide(monomial, content.monomial), coefficient / content.number);
    }
    return result;
}

/// dividend = quotient * divisor + remainder. The divisor's first coefficient must be positive; coefficients
/// of the remainder that it could divide lie in [0, it).
struct Division {
    Polynomial quotient;
    Polynomial remainder;
};

Division longDivision(Polynomial dividend, const Polynomial& divisor) {
    Division result;
    const auto& [leading, leadingCoefficient] = *divisor.terms().begin();
    for (size_t turns = 0; !dividend.isZero(); ++turns) {
        if (turns > mostTerms) throw TooLarge{};
        const auto [monomial, coefficient] = *dividend.terms().begin();
        const auto quotient = divide(monomial, leading);
        const int64_t times = quotient ? flooredQuotient(coefficient, leadingCoefficient) : 0;
        if (times != 0) {
            result.quotient.add(*quotient, times);
            dividend = dividend - scaled(divisor, *quotient, times);
        }
        const int64_t rest = checkedAdd(coefficient, checkedMultiply(times, -leadingCoefficient));
        if (rest != 0) {
            result.remainder.add(monomial, rest);
            dividend.add(monomial, checkedMultiply(rest, -1));
        }
    }
    return result;
}

Polynomial negated(const Polynomial& polynomial) { return scaled(polynomial, {}, -1); }

bool isAtLeast(const Polynomial& left, const Polynomial& right, int64_t margin) {
    const auto bound = lowerBound(left - right);
    return bound && *bound >= margin;
}

Polynomial floorDivideByNumber(Polynomial dividend, int64_t divisor);

/// (P/a + R)/c is (P + a*R)/(a*c) for integers a, c > 0: unwraps a division inside a division.
std::optional<Polynomial> flattened(const Polynomial& dividend, int64_t divisor) {
    for (const auto& [monomial, coefficient] : dividend.terms()) {
        if (monomial.size() != 1 || monomial[0].second != 1 || coefficient != 1) continue;
        const Atom& atom = *monomial[0].first;
        if (atom.kind != Atom::Kind::floorDivision) continue;
        const auto inner = atom.operands[1].number();
        if (!inner || *inner <= 0) continue;
        Polynomial rest = dividend;
        rest.add(monomial, -1);
        return floorDivideByNumber(atom.operands[0] + scaled(rest, {}, *inner),
                                   checkedMultiply(*inner, divisor));
    }
    return {};
}

Polynomial divisionAtom(Polynomial dividend, Polynomial divisor) {
    return Polynomial::of(std::make_shared<const Atom>(
        Atom{.kind = Atom::Kind::floorDivision, .operands = {std::move(dividend), std::move(divisor)}}));
}

/// The divisor must be positive.
Polynomial floorDivideByNumber(Polynomial dividend, int64_t divisor) {
    auto [quotient, remainder] = longDivision(std::move(dividend), Polynomial(divisor));
    int64_t common = divisor;
    for (const auto& [monomial, coefficient] : remainder.terms()) {
        if (!monomial.empty()) common = std::gcd(common, coefficient);
    }
    Polynomial reduced;
    for (const auto& [monomial, coefficient] : remainder.terms()) {
        reduced.add(monomial, flooredQuotient(coefficient, common));
    }
    if (reduced.isZero() || common == divisor) return quotient + reduced;
    const Polynomial reducedDivisor(divisor / common);
    if (isAtLeast(reducedDivisor, reduced, 1) && isAtLeast(reduced, {}, 0)) return quotient;
    if (const auto flat = flattened(reduced, divisor / common)) return quotient + *flat;
    return quotient + divisionAtom(reduced, reducedDivisor);
}

/// One of `kind`, minimum or maximum, over the operands of both sides, without those that another one beats.
Polynomial extremum(Atom::Kind kind, const Polynomial& left, const Polynomial& right) {
    std::vector<Polynomial> operands;
    for (const Polynomial* side : {&left, &right}) {
        const Atom* atom = side->onlyAtom();
        if (atom != nullptr && atom->kind == kind) {
            operands.insert(operands.end(), atom->operands.begin(), atom->operands.end());
        } else {
            operands.push_back(*side);
        }
    }
    const auto beats = [kind](const Polynomial& a, const Polynomial& b) {
        return kind == Atom::Kind::minimum ? isAtLeast(b, a, 0) : isAtLeast(a, b, 0);
    };
    std::vector<Polynomial> kept;
    for (const Polynomial& operand : operands) {
        if (std::any_of(kept.begin(), kept.end(), [&](const auto& other) { return beats(other, operand); })) {
            continue;
        }
        std::erase_if(kept, [&](const auto& other) { return beats(operand, other); });
        kept.push_back(operand);
    }
    if (kept.size() == 1) return kept[0];
    if (kept.size() > mostTerms / 8) throw TooLarge{};
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return compare(a, b) < 0; });
    return Polynomial::of(std::make_shared<const Atom>(Atom{.kind = kind, .operands = std::move(kept)}));
}

}  // namespace

bool MonomialOrder::operator()(const Monomial& left, const Monomial& right) const {
    return compare(left, right) > 0;
}

Polynomial::Polynomial(int64_t number) { add({}, number); }

Polynomial Polynomial::symbol(const std::string& name) {
    return of(std::make_shared<const Atom>(Atom{.kind = Atom::Kind::symbol, .name = name}));
}

Polynomial Polynomial::of(AtomPointer atom) {
    Polynomial result;
    result.add({{std::move(atom), 1}}, 1);
    return result;
}

std::optional<int64_t> Polynomial::number() const {
    if (terms_.empty()) return 0;
    if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
    return {};
}

int64_t Polynomial::constantTerm() const {
    const auto found = terms_.find({});
    return found == terms_.end() ? 0 : found->second;
}

const Atom* Polynomial::onlyAtom() const {
    if (terms_.size() != 1) return nullptr;
    const auto& [monomial, coefficient] = *terms_.begin();
    const bool isAtom = coefficient == 1 && monomial.size() == 1 && monomial[0].second == 1;
    return isAtom ? monomial[0].first.get() : nullptr;
}

void Polynomial::add(const Monomial& monomial, int64_t coefficient) {
    if (coefficient == 0) return;
    const auto [place, isNew] = terms_.try_emplace(monomial, coefficient);
    if (isNew) {
        if (terms_.size() > mostTerms) throw TooLarge{};
        return;
    }
    place->second = checkedAdd(place->second, coefficient);
    if (place->second == 0) terms_.erase(place);
}

Polynomial operator+(Polynomial left, const Polynomial& right) {
    for (const auto& [monomial, coefficient] : right.terms_) left.add(monomial, coefficient);
    return left;
}

Polynomial operator-(Polynomial left, const Polynomial& right) {
    for (const auto& [monomial, coefficient] : right.terms_) {
        left.add(monomial, checkedMultiply(coefficient, -1));
    }
    return left;
}

Polynomial operator*(const Polynomial& left, const Polynomial& right) {
    Polynomial result;
    for (const auto& [monomial, coefficient] : right.terms_) {
        result = result + scaled(left, monomial, coefficient);
    }
    return result;
}

std::strong_ordering compare(const Polynomial& left, const Polynomial& right) {
    auto l = left.terms().begin();
    auto r = right.terms().begin();
    for (; l != left.terms().end() && r != right.terms().end(); ++l, ++r) {
        if (const auto order = compare(r->first, l->first); order != 0) return order;
        if (const auto order = l->second <=> r->second; order != 0) return order;
    }
    return left.terms().size() <=> right.terms().size();
}

Polynomial floorDivide(const Polynomial& dividend, const Polynomial& divisor) {
    if (divisor.terms().begin()->second < 0) return floorDivide(negated(dividend), negated(divisor));
    if (const auto number = divisor.number()) return floorDivideByNumber(dividend, *number);
    if (dividend.isZero()) return dividend;
    const Content content = commonContent(dividend, divisor);
    const Polynomial reducedDivisor = withoutContent(divisor, content);
    if (const auto number = reducedDivisor.number()) {
        return floorDivideByNumber(withoutContent(dividend, content), *number);
    }
    auto [quotient, remainder] = longDivision(withoutContent(dividend, content), reducedDivisor);
    if (remainder.isZero()) return quotient;
    if (isAtLeast(remainder, {}, 0) && isAtLeast(reducedDivisor, remainder, 1)) return quotient;
    if (isAtLeast({}, remainder, 1) && isAtLeast(reducedDivisor + remainder, {}, 0)) {
        return quotient - Polynomial(1);
    }
    const Content rest = commonContent(remainder, reducedDivisor);
    return quotient + divisionAtom(withoutContent(remainder, rest), withoutContent(reducedDivisor, rest));
}

Polynomial least(const Polynomial& left, const Polynomial& right) {
    return extremum(Atom::Kind::minimum, left, right);
}

Polynomial greatest(const Polynomial& left, const Polynomial& right) {
    return extremum(Atom::Kind::maximum, left, right);
}

void collectSymbols(const Polynomial& polynomial, std::set<std::string>& symbols) {
    for (const auto& [monomial, coefficient] : polynomial.terms()) {
        for (const auto& [atom, power] : monomial) {
            if (atom->kind == Atom::Kind::symbol) symbols.insert(atom->name);
            for (const Polynomial& operand : atom->operands) collectSymbols(operand, symbols);
        }
    }
}

}  // namespace engine::algebra
