#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// Values for symbols: "batch" -> 8.
using Bindings = std::map<std::string, int64_t>;

/// One dimension of a shape, or one entry of a tensor that holds shape arithmetic: a number, an expression of
/// named symbols, or unknown. Expressions are kept in one canonical form (a polynomial over symbols and over
/// floor divisions, minima and maxima of polynomials), so that equal expressions compare equal: (h-1)/2+1 ==
/// (h+1)/2. Immutable, cheap to copy. Symbols stand for integers >= 1 as dimensions do.
class Dim {
public:
    Dim() = default;      ///< unknown
    Dim(int64_t number);  // NOLINT(google-explicit-constructor): numbers are dims
    Dim(int number) : Dim(static_cast<int64_t>(number)) {}  // NOLINT(google-explicit-constructor)
    static Dim symbol(const std::string& name);

    bool isUnknown() const { return !number_ && !expression_; }
    bool isNumber() const { return number_.has_value(); }
    int64_t number() const { return *number_; }  ///< only if isNumber()

    /// "h/4+1" in ordinary notation, "batch" for a symbol, "?" for unknown.
    std::string text() const;

    /// The symbols in it, sorted, each once.
    std::vector<std::string> symbols() const;

    /// With the bound symbols replaced; unbound ones stay.
    Dim bind(const Bindings& bindings) const;

    /// Arithmetic; unknown in gives unknown out, overflow gives unknown (0 * unknown is 0).
    friend Dim operator+(const Dim& left, const Dim& right);
    friend Dim operator-(const Dim& left, const Dim& right);
    friend Dim operator*(const Dim& left, const Dim& right);
    /// Rounds towards minus infinity; exact where the right divides the left as polynomials. Division by 0 is
    /// unknown.
    friend Dim floorDiv(const Dim& left, const Dim& right);
    friend Dim ceilDiv(const Dim& left, const Dim& right);
    /// Remainder with the sign of the divisor.
    friend Dim modulo(const Dim& left, const Dim& right);
    friend Dim minimum(const Dim& left, const Dim& right);
    friend Dim maximum(const Dim& left, const Dim& right);

    /// Same number or same expression. Unknown equals nothing, not even unknown.
    friend bool operator==(const Dim& left, const Dim& right);

    /// A lower bound that holds for all symbols >= 1, if one is known: for "is it surely positive?".
    std::optional<int64_t> lowerBound() const;

private:
    struct Expression;
    friend struct DimAlgebra;
    std::optional<int64_t> number_;
    std::shared_ptr<const Expression> expression_;
};

Dim floorDiv(const Dim& left, const Dim& right);
Dim ceilDiv(const Dim& left, const Dim& right);
Dim modulo(const Dim& left, const Dim& right);
Dim minimum(const Dim& left, const Dim& right);
Dim maximum(const Dim& left, const Dim& right);
Dim& operator+=(Dim& left, const Dim& right);
Dim& operator*=(Dim& left, const Dim& right);
std::ostream& operator<<(std::ostream& stream, const Dim& dim);

/// The dimensions of a tensor whose rank is known. Empty for a scalar.
using Shape = std::vector<Dim>;
/// The dimensions of a tensor that exists.
using Dims = std::vector<int64_t>;

/// "[batch, 3, h/2, 224]".
std::string shapeText(const Shape& shape);

/// The number of elements: the product of the dims.
Dim elementCount(const Shape& shape);

/// The dims as numbers, or nothing if one is no number.
std::optional<Dims> numbers(const Shape& shape);

Shape shapeOf(const Dims& dims);

/// Dims seen as [outer, length, inner] around an axis.
struct AxisSplit {
    int64_t outer = 1;
    int64_t length = 1;
    int64_t inner = 1;
};
AxisSplit splitAt(const Dims& dims, size_t axis);

}  // namespace engine
