#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace engine::algebra {

struct Atom;
using AtomPointer = std::shared_ptr<const Atom>;

/// Thrown inside the algebra when a coefficient overflows or an expression grows past all use; Dim turns it
/// into "unknown".
struct TooLarge {};

/// A product of powers of atoms, atoms ascending, powers >= 1. Empty: 1.
using Monomial = std::vector<std::pair<AtomPointer, int>>;

/// Graded lexicographic order, largest first: an order that multiplication keeps.
struct MonomialOrder {
    bool operator()(const Monomial& left, const Monomial& right) const;
};

/// A sum of monomials with integer coefficients, none zero: the canonical form of an expression.
class Polynomial {
public:
    Polynomial() = default;  ///< zero
    explicit Polynomial(int64_t number);
    static Polynomial symbol(const std::string& name);
    static Polynomial of(AtomPointer atom);

    const std::map<Monomial, int64_t, MonomialOrder>& terms() const { return terms_; }
    bool isZero() const { return terms_.empty(); }
    std::optional<int64_t> number() const;
    int64_t constantTerm() const;
    /// The atom, if the polynomial is one atom and nothing else.
    const Atom* onlyAtom() const;

    void add(const Monomial& monomial, int64_t coefficient);

    friend Polynomial operator+(Polynomial left, const Polynomial& right);
    friend Polynomial operator-(Polynomial left, const Polynomial& right);
    friend Polynomial operator*(const Polynomial& left, const Polynomial& right);

private:
    std::map<Monomial, int64_t, MonomialOrder> terms_;
};

std::strong_ordering compare(const Polynomial& left, const Polynomial& right);

/// What a polynomial is made of: a symbol, a floor division operands[0] / operands[1], or the least or
/// greatest of two or more operands, ascending.
struct Atom {
    enum class Kind : uint8_t { symbol, floorDivision, minimum, maximum };

    Kind kind;
    std::string name = {};
    std::vector<Polynomial> operands = {};
};

/// Rounds towards minus infinity. The divisor must not be zero.
Polynomial floorDivide(const Polynomial& dividend, const Polynomial& divisor);
Polynomial least(const Polynomial& left, const Polynomial& right);
Polynomial greatest(const Polynomial& left, const Polynomial& right);

/// A bound below that holds for all symbols >= 1, if one is found.
std::optional<int64_t> lowerBound(const Polynomial& polynomial);

void collectSymbols(const Polynomial& polynomial, std::set<std::string>& symbols);

/// "2*batch*(h/4)+1", `/` rounding down.
std::string text(const Polynomial& polynomial);

}  // namespace engine::algebra
