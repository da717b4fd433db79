#include "engine/core/text.h"

#include <algorithm>
#include <numeric>

namespace engine {

std::string orEmpty(const char* text) { return text == nullptr ? "" : text; }

std::string listText(std::span<const int64_t> numbers) {
    std::string result = "[";
    for (size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0) result += ", ";
        result += std::to_string(numbers[i]);
    }
    return result + "]";
}

std::string join(std::span<const std::string> parts, const std::string& separator) {
    std::string result;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) result += separator;
        result += parts[i];
    }
    return result;
}

namespace {

/// Levenshtein's distance if it is below `bound`, else `bound`: words far apart cost little, however long.
size_t editDistance(const std::string& a, const std::string& b, size_t bound) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= bound) return bound;
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        size_t least = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
            least = std::min(least, row[j]);
        }
        if (least >= bound) return bound;
    }
    return std::min(row[b.size()], bound);
}

}  // namespace

std::string closestWord(const std::string& word, std::span<const std::string> candidates) {
    std::string best;
    size_t bestDistance = word.size() / 3 + 2;
    for (const std::string& candidate : candidates) {
        const size_t distance = editDistance(word, candidate, bestDistance);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace engine
