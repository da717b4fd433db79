#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {

/// The attributes of LayerNormalization and RMSNormalization.
struct LayerNormAttributes {
    int64_t axis = -1;  ///< the first of the axes that are normalized together
    float epsilon = 1e-5F;
    DataType stash = DataType::float32;  ///< element type of the statistics
};
LayerNormAttributes readLayerNorm(const AttributeReader& reader);

Work layerNormWork(const WorkContext& context);

/// The mean of some values and the factor that gives them unit variance.
struct Moments {
    double mean = 0;
    double inverseDeviation = 0;
};

/// Two passes in double, so that large values of a narrow type neither overflow nor cancel.
template <class T>
Moments momentsOf(std::span<const T> values, double epsilon) {
    Moments moments;
    const auto count = static_cast<double>(values.size());
    for (const T& value : values) moments.mean += static_cast<double>(value);
    moments.mean /= count;
    double squares = 0;
    for (const T& value : values) {
        const double distance = static_cast<double>(value) - moments.mean;
        squares += distance * distance;
    }
    moments.inverseDeviation = 1 / std::sqrt(squares / count + epsilon);
    return moments;
}

/// The same about zero: the inverse of the root of the mean square.
template <class T>
Moments rootMeanSquareOf(std::span<const T> values, double epsilon) {
    double squares = 0;
    for (const T& value : values) squares += static_cast<double>(value) * static_cast<double>(value);
    return {.mean = 0,
            .inverseDeviation = 1 / std::sqrt(squares / static_cast<double>(values.size()) + epsilon)};
}

/// A scale or a bias, broadcast to the input of a normalization over the axes from `axis` on. Read by the
/// number of the group that is normalized together and the element's place in it. Throws Error, naming the
/// tensor `what`, unless it broadcasts.
class GroupParameter {
public:
    GroupParameter(const Tensor& tensor, const Dims& dims, int64_t axis, const char* what);

    double at(size_t group, size_t place) const {
        return values_[static_cast<size_t>(groupOffsets_[group] + placeOffsets_[place])];
    }

private:
    std::vector<double> values_;
    std::vector<int64_t> groupOffsets_;
    std::vector<int64_t> placeOffsets_;
};

/// A normalization over the axes from `axis` on.
struct GroupNormalization {
    double epsilon = 0;
    int64_t axis = 0;
    GroupParameter scale;
    std::optional<GroupParameter> bias;

    /// Normalizes each group by the moments that `momentsOf` finds in it, which are returned.
    template <class T, class Result, class MomentsOf>
    std::vector<Moments> run(std::span<const T> input, std::span<Result> output, size_t groups,
                             MomentsOf momentsOf, const KernelContext& context) const {
        std::vector<Moments> found(groups);
        Pace pace(context);
        const size_t size = groups == 0 ? 0 : input.size() / groups;
        for (size_t group = 0; group < groups; ++group) {
            const auto values = input.subspan(group * size, size);
            found[group] = momentsOf(values, epsilon);
            for (size_t i = 0; i < size; ++i) {
                const double distance = static_cast<double>(values[i]) - found[group].mean;
                const double shift = bias ? bias->at(group, i) : 0;
                output[group * size + i] = static_cast<Result>(
                    distance * found[group].inverseDeviation * scale.at(group, i) + shift);
            }
            pace.spend(static_cast<int64_t>(size));
        }
        return found;
    }
};

/// The product of the dims before `axis`.
size_t groupCount(const Dims& dims, int64_t axis);

/// Puts one statistic of each group, a member of Moments, into output `index`, if the node has it: of the
/// element type `type`, and of the input's dims with 1 from `axis` on.
void storeStatistic(KernelContext& context, size_t index, DataType type, const Dims& dims, int64_t axis,
                    const std::vector<Moments>& moments, double Moments::*statistic);

/// The input's shape with 1 from `axis` on; nothing if its rank is unknown.
std::optional<Shape> statisticShape(const InferContext& context, int64_t axis);

}  // namespace engine
