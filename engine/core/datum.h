#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/core/type.h"

namespace engine {

class Datum;

/// Values at given places of an otherwise zero tensor, as ONNX's SparseTensorProto.
struct SparseTensor {
    Tensor values;   ///< [n]
    Tensor indices;  ///< int64 [n] (linear) or [n, rank]
    Dims dims;
};

/// ONNX's sequence: any number of data of one type.
struct Sequence {
    Type element;  ///< what the items are, known also when there are none
    std::vector<Datum> items;
};

/// ONNX's map: `keys` is a 1-D tensor of integers or strings, `values` a tensor of as many numbers or
/// strings.
struct Map {
    Tensor keys;
    Tensor values;
};

/// What flows along an edge at run time. Empty: an absent optional (or an output not computed).
class Datum {
public:
    Datum() = default;
    Datum(Tensor tensor) : content_(std::move(tensor)) {}  // NOLINT(google-explicit-constructor)
    Datum(Sequence sequence);                              // NOLINT(google-explicit-constructor)
    Datum(SparseTensor tensor);                            // NOLINT(google-explicit-constructor)
    Datum(Map map);                                        // NOLINT(google-explicit-constructor)

    bool isEmpty() const { return std::holds_alternative<std::monostate>(content_); }
    bool isTensor() const { return std::holds_alternative<Tensor>(content_); }
    bool isSequence() const;
    bool isSparse() const;
    bool isMap() const;

    /// Each throws Error when the datum is something else, naming both.
    const Tensor& tensor() const;
    Tensor& tensor();
    const Sequence& sequence() const;
    const SparseTensor& sparse() const;
    const Map& map() const;

    /// The type it has, with numbers for dims.
    Type type() const;

private:
    std::variant<std::monostate, Tensor, std::shared_ptr<const Sequence>, std::shared_ptr<const SparseTensor>,
                 std::shared_ptr<const Map>>
        content_;
};

}  // namespace engine
