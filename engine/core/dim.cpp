#include "engine/core/dim.h"

#include <algorithm>
#include <ostream>
#include <set>

#include "engine/core/polynomial.h"
#include "engine/core/text.h"

namespace engine {

using algebra::Polynomial;

struct Dim::Expression {
    Polynomial polynomial;
};

/// Goes between dims and polynomials.
struct DimAlgebra {
    static Polynomial polynomial(const Dim& dim) {
        return dim.isNumber() ? Polynomial(dim.number()) : dim.expression_->polynomial;
    }

    static Dim dim(Polynomial polynomial) {
        if (const auto number = polynomial.number()) return *number;
        Dim result;
        result.expression_ = std::make_shared<const Dim::Expression>(Dim::Expression{std::move(polynomial)});
        return result;
    }

    static const Polynomial* expression(const Dim& dim) {
        return dim.expression_ ? &dim.expression_->polynomial : nullptr;
    }

    /// Unknown unless both are known and the result can be had.
    template <class Function>
    static Dim apply(const Dim& left, const Dim& right, Function function) {
        if (left.isUnknown() || right.isUnknown()) return {};
        try {
            return dim(function(polynomial(left), polynomial(right)));
        } catch (const algebra::TooLarge&) {
            return {};
        }
    }

    static Dim bind(const Polynomial& polynomial, const Bindings& bindings) {
        Dim sum = 0;
        for (const auto& [monomial, coefficient] : polynomial.terms()) {
            Dim product = coefficient;
            for (const auto& [atom, power] : monomial) {
                const Dim factor = bind(*atom, bindings);
                for (int i = 0; i < power; ++i) product *= factor;
            }
            sum += product;
        }
        return sum;
    }

    static Dim bind(const algebra::Atom& atom, const Bindings& bindings) {
        if (atom.kind == algebra::Atom::Kind::symbol) {
            const auto found = bindings.find(atom.name);
            return found == bindings.end() ? Dim::symbol(atom.name) : Dim(found->second);
        }
        Dim result = bind(atom.operands[0], bindings);
        for (size_t i = 1; i < atom.operands.size(); ++i) {
            const Dim operand = bind(atom.operands[i], bindings);
            result = atom.kind == algebra::Atom::Kind::floorDivision ? floorDiv(result, operand)
                     : atom.kind == algebra::Atom::Kind::minimum     ? minimum(result, operand)
                                                                     : maximum(result, operand);
        }
        return result;
    }
};

Dim::Dim(int64_t number) : number_(number) {}

Dim Dim::symbol(const std::string& name) { return DimAlgebra::dim(Polynomial::symbol(name)); }

std::string Dim::text() const {
    if (isUnknown()) return "?";
    return isNumber() ? std::to_string(*number_) : algebra::text(expression_->polynomial);
}

std::vector<std::string> Dim::symbols() const {
    std::set<std::string> found;
    if (expression_) algebra::collectSymbols(expression_->polynomial, found);
    return {found.begin(), found.end()};
}

Dim Dim::bind(const Bindings& bindings) const {
    return expression_ ? DimAlgebra::bind(expression_->polynomial, bindings) : *this;
}

std::optional<int64_t> Dim::lowerBound() const {
    return expression_ ? algebra::lowerBound(expression_->polynomial) : number_;
}

Dim operator+(const Dim& left, const Dim& right) {
    int64_t sum = 0;
    if (left.number_ && right.number_ && !__builtin_add_overflow(*left.number_, *right.number_, &sum)) {
        return sum;
    }
    return DimAlgebra::apply(left, right, [](const auto& l, const auto& r) { return l + r; });
}

Dim operator-(const Dim& left, const Dim& right) {
    int64_t difference = 0;
    if (left.number_ && right.number_ &&
        !__builtin_sub_overflow(*left.number_, *right.number_, &difference)) {
        return difference;
    }
    return DimAlgebra::apply(left, right, [](const auto& l, const auto& r) { return l - r; });
}

Dim operator*(const Dim& left, const Dim& right) {
    if (left.number_ == 0 || right.number_ == 0) return 0;
    int64_t product = 0;
    if (left.number_ && right.number_ && !__builtin_mul_overflow(*left.number_, *right.number_, &product)) {
        return product;
    }
    return DimAlgebra::apply(left, right, [](const auto& l, const auto& r) { return l * r; });
}

Dim floorDiv(const Dim& left, const Dim& right) {
    if (right.number_ == 0) return {};
    if (left.number_ && right.number_.value_or(-1) > 0) {
        const int64_t quotient = *left.number_ / *right.number_;
        return *left.number_ % *right.number_ < 0 ? quotient - 1 : quotient;
    }
    return DimAlgebra::apply(left, right,
                             [](const auto& l, const auto& r) { return algebra::floorDivide(l, r); });
}

Dim ceilDiv(const Dim& left, const Dim& right) {
    const auto bound = right.lowerBound();
    if (bound && *bound >= 1) return floorDiv(left + right - 1, right);
    return 0 - floorDiv(0 - left, right);
}

Dim modulo(const Dim& left, const Dim& right) {
    const Dim quotient = floorDiv(left, right);
    return quotient.isUnknown() ? quotient : left - right * quotient;
}

Dim minimum(const Dim& left, const Dim& right) {
    if (left.number_ && right.number_) return std::min(*left.number_, *right.number_);
    return DimAlgebra::apply(left, right, [](const auto& l, const auto& r) { return algebra::least(l, r); });
}

Dim maximum(const Dim& left, const Dim& right) {
    if (left.number_ && right.number_) return std::max(*left.number_, *right.number_);
    return DimAlgebra::apply(left, right,
                             [](const auto& l, const auto& r) { return algebra::greatest(l, r); });
}

bool operator==(const Dim& left, const Dim& right) {
    if (left.isUnknown() || right.isUnknown()) return false;
    if (left.isNumber() || right.isNumber()) return left.number_ == right.number_;
    const Polynomial& l = *DimAlgebra::expression(left);
    const Polynomial& r = *DimAlgebra::expression(right);
    return &l == &r || algebra::compare(l, r) == 0;
}

Dim& operator+=(Dim& left, const Dim& right) { return left = left + right; }

Dim& operator*=(Dim& left, const Dim& right) { return left = left * right; }

std::ostream& operator<<(std::ostream& stream, const Dim& dim) { return stream << dim.text(); }

std::string shapeText(const Shape& shape) {
    std::vector<std::string> parts;
    for (const Dim& dim : shape) parts.push_back(dim.text());
    return "[" + join(parts, ", ") + "]";
}

Dim elementCount(const Shape& shape) {
    Dim count = 1;
    for (const Dim& dim : shape) count *= dim;
    return count;
}

std::optional<Dims> numbers(const Shape& shape) {
    Dims dims;
    for (const Dim& dim : shape) {
        if (!dim.isNumber()) return {};
        dims.push_back(dim.number());
    }
    return dims;
}

AxisSplit splitAt(const Dims& dims, size_t axis) {
    AxisSplit split{.length = dims[axis]};
    for (size_t i = 0; i < axis; ++i) split.outer *= dims[i];
    for (size_t i = axis + 1; i < dims.size(); ++i) split.inner *= dims[i];
    return split;
}

Shape shapeOf(const Dims& dims) { return {dims.begin(), dims.end()}; }

}  // namespace engine
