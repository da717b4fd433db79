#pragma once

#include "engine/ops/kernel_context.h"

namespace engine {

/// Which axes a reduction runs over.
struct ReductionAttributes {
    bool keepDims;
    bool emptyAxesDoNothing;
};

ReductionAttributes readReduction(const AttributeReader& reader);

/// Per axis 1 if it is reduced. `axes`: what input 1 gives, empty if it is omitted.
std::vector<char> reducedAxes(const ReductionAttributes& attributes, const std::vector<int64_t>& axes,
                              size_t rank);

/// Output 0 of the input's element type; axes from input 1, all axes if it is omitted or empty.
void inferReduction(InferContext& context);

/// An index space split into what is kept and what is reduced: for each element of the input, in order, where
/// in the output it goes.
class ReductionWalk {
public:
    ReductionWalk(const KernelContext& context, const ReductionAttributes& attributes);

    const Dims& outputDims() const { return outputDims_; }
    /// How many elements go into one of the output.
    int64_t reducedCount() const { return reducedCount_; }

    /// Calls visit(input position, output position) for each element in row-major order.
    template <class Visit>
    void forEach(Visit&& visit) const {
        const size_t rank = dims_.size();
        const int64_t rowLength = rank == 0 ? 1 : dims_.back();
        const int64_t rowStride = rank == 0 ? 0 : strides_.back();
        int64_t position = 0;
        int64_t base = 0;
        Dims index(rank, 0);
        const int64_t total = elementCount(dims_);
        while (position < total) {
            int64_t at = base;
            for (int64_t i = 0; i < rowLength; ++i, at += rowStride) visit(position++, at);
            context_.checkpoint();
            for (size_t axis = rank == 0 ? 0 : rank - 1; axis-- > 0;) {
                base += strides_[axis];
                if (++index[axis] < dims_[axis]) break;
                base -= strides_[axis] * dims_[axis];
                index[axis] = 0;
            }
        }
    }

private:
    const KernelContext& context_;
    Dims dims_;
    Dims strides_;  ///< of the output, 0 along reduced axes
    Dims outputDims_;
    int64_t reducedCount_ = 1;
};

}  // namespace engine
