#include "engine/ops/fourier.h"

#include <numbers>

namespace engine {
namespace {

using Complex = std::complex<double>;

size_t smallestFactor(size_t number) {
    for (size_t factor = 2; factor * factor <= number; ++factor) {
        if (number % factor == 0) return factor;
    }
    return number;
}

/// Splits the signal by its smallest factor p into p interleaved parts, transforms those, and combines:
/// X[k + j * m] = sum over r of w^(r * (k + j * m)) * part_r[k], where m is the length of a part.
class Transform {
public:
    Transform(size_t length, double sign, Pace& pace) : length_(length), pace_(pace), roots_(length) {
        for (size_t i = 0; i < length; ++i) {
            const double angle =
                sign * 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(length);
            roots_[i] = {std::cos(angle), std::sin(angle)};
        }
    }

    void run(const Complex* from, size_t stride, Complex* to, size_t length) {
        if (length == 1) {
            *to = *from;
            return;
        }
        const size_t factor = smallestFactor(length);
        const size_t part = length / factor;
        for (size_t r = 0; r < factor; ++r) run(from + r * stride, stride * factor, to + r * part, part);
        std::vector<Complex> sums(factor);
        for (size_t k = 0; k < part; ++k) {
            for (size_t j = 0; j < factor; ++j) {
                Complex sum = 0;
                for (size_t r = 0; r < factor; ++r)
                    sum += root(r * (k + j * part), length) * to[r * part + k];
                sums[j] = sum;
            }
            for (size_t j = 0; j < factor; ++j) to[j * part + k] = sums[j];
            pace_.spend(static_cast<int64_t>(4 * factor * factor));
        }
    }

private:
    // w^exponent for the primitive root w of a transform of `length`, which divides the whole one's.
    const Complex& root(size_t exponent, size_t length) const {
        return roots_[exponent % length * (length_ / length)];
    }

    size_t length_;
    Pace& pace_;
    std::vector<Complex> roots_;
};

}  // namespace

std::vector<Complex> fourier(std::vector<Complex> signal, FourierDirection direction, Pace& pace) {
    if (signal.empty()) return signal;
    const bool isInverse = direction == FourierDirection::inverse;
    std::vector<Complex> result(signal.size());
    Transform(signal.size(), isInverse ? 1 : -1, pace).run(signal.data(), 1, result.data(), signal.size());
    if (isInverse) {
        for (Complex& value : result) value /= static_cast<double>(signal.size());
    }
    return result;
}

}  // namespace engine
