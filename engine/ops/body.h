#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/ops/attribute_reader.h"
#include "engine/ops/infer_context.h"
#include "engine/ops/kernel_context.h"

namespace engine {

/// A body graph among a node's attributes, with its number among all graphs of the node.
struct Body {
    std::shared_ptr<const Graph> graph = {};
    size_t index = 0;
};
Body readBody(const AttributeReader& reader, const std::string& name);

/// Infers a body that is run again and again with its own results: widens the types of the values carried
/// from turn to turn until they hold for every turn. `inputs` are the types of all body inputs; those from
/// `firstInput` on take over the outputs from `firstOutput` on, `carried` of them. Returns the types of all
/// body outputs; `inputs` is left as widened.
struct Carried {
    size_t firstInput = 0;
    size_t firstOutput = 0;
    size_t count = 0;
};
std::vector<Type> inferRepeated(const InferContext& context, const Graph& body, const Carried& carried,
                                std::vector<Type>& inputs);

/// The elements of a tensor at `index` of `axis`, which disappears. The index must be in range.
Tensor sliceAt(const Tensor& tensor, int64_t axis, int64_t index);

/// Tensors of one type and shape along a new axis; throws Error, naming `what`, if they differ or there are
/// none.
Tensor stacked(const std::vector<Tensor>& tensors, int64_t axis, const std::string& what);

/// What a scan output is when no turn was made: no elements along `axis`, and of the body output's declared
/// shape otherwise, with 0 for dims that are no numbers.
Tensor stackOfNone(const Graph& body, size_t output, DataType element, int64_t axis);

}  // namespace engine
