#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QString>

#include "engine/core/observer.h"
#include "engine/core/tensor.h"

namespace views {

/// Figures of a tensor's elements; NaN and infinite ones are counted apart and left out of the rest.
struct TensorStatistics {
    int64_t count = 0;  ///< finite elements
    double minimum = 0;
    double maximum = 0;
    double mean = 0;
    double deviation = 0;
    int64_t zeros = 0;
    int64_t nans = 0;
    int64_t infinities = 0;
    std::array<int64_t, 32> histogram = {};  ///< from minimum to maximum
};

/// What is worth showing of a tensor.
struct TensorSummary {
    engine::DataType type = engine::DataType::undefined;
    engine::Dims dims = {};
    size_t bytes = 0;
    std::optional<TensorStatistics> statistics = {};  ///< of real numbers
    std::vector<std::vector<QString>> rows = {};      ///< the first rows of the first matrix
    bool isCutRight = false;
    bool isCutBelow = false;
};

/// Reads the whole tensor once or twice. Throws Error if its data cannot be read.
TensorSummary summarizeTensor(const engine::Tensor& tensor, engine::Observer& observer);

}  // namespace views
