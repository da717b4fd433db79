#pragma once

#include <algorithm>

#include "engine/ops/arithmetic.h"
#include "engine/ops/pace.h"

namespace engine {

/// Output 0 of the shape of input 0: `function` of each element. From is the element type of the input, To
/// that of the output; `function` computes with ComputeType<From>.
template <class From, class To = From, class Function>
void mapElements(KernelContext& context, Function function) {
    constexpr size_t chunk = size_t{1} << 16;
    const Tensor& input = context.input(0);
    const auto from = input.values<From>();
    const auto to = context.output(0, dataTypeOf<To>, input.dims()).template mutableValues<To>();
    Pace pace(context);
    for (size_t start = 0; start < from.size(); start += chunk) {
        const size_t end = std::min(from.size(), start + chunk);
        for (size_t i = start; i < end; ++i) {
            to[i] = static_cast<To>(function(static_cast<ComputeType<From>>(from[i])));
        }
        pace.spend(static_cast<int64_t>(end - start) * 4);
    }
}

}  // namespace engine
