#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/onnx/import_context.h"

namespace engine::onnx {
namespace {

Dim importDim(const proto::TensorShapeProto_Dimension& dim, ImportContext& context,
              const std::string& place) {
    // Some exporters write "?" for every dim that they do not know: no name, or all of them would be the
    // same.
    if (dim.has_dim_param() && !dim.dim_param().empty() && dim.dim_param() != "?") {
        return Dim::symbol(dim.dim_param());
    }
    if (!dim.has_dim_value()) return {};
    if (dim.dim_value() < 0) {
        // -1 is how some exporters write "unknown".
        if (dim.dim_value() != -1) {
            context.findings.warning(
                text("found the dim ", dim.dim_value(), ", expected one that is not negative"), place);
        }
        return {};
    }
    return dim.dim_value();
}

DataType importElement(int number, ImportContext& context, const std::string& place) {
    if (number == 0) return DataType::undefined;
    try {
        return elementType(number);
    } catch (const Error& error) {
        context.findings.warning(error.what(), place);
        return DataType::undefined;
    }
}

/// Of proto::TypeProto_Tensor and proto::TypeProto_SparseTensor.
template <class TensorType>
Type importTensorType(const TensorType& tensor, Type::Kind kind, ImportContext& context,
                      const std::string& place) {
    Type type{.kind = kind, .element = importElement(tensor.elem_type(), context, place)};
    if (!tensor.has_shape()) return type;
    if (tensor.shape().dim_size() > mostAxes) {
        context.findings.error(text("found ", tensor.shape().dim_size(), " axes, expected 0 to ", mostAxes),
                               place);
        return type;
    }
    Shape shape;
    for (const proto::TensorShapeProto_Dimension& dim : tensor.shape().dim())
        shape.push_back(importDim(dim, context, place));
    type.shape = std::move(shape);
    return type;
}

}  // namespace

Type importType(const proto::TypeProto& type, ImportContext& context, const std::string& place) {
    switch (type.value_case()) {
        case proto::TypeProto::kTensorType:
            return importTensorType(type.tensor_type(), Type::Kind::tensor, context, place);
        case proto::TypeProto::kSparseTensorType:
            return importTensorType(type.sparse_tensor_type(), Type::Kind::sparseTensor, context, place);
        case proto::TypeProto::kSequenceType:
            return Type::sequence(importType(type.sequence_type().elem_type(), context, place));
        case proto::TypeProto::kOptionalType:
            return Type::optional(importType(type.optional_type().elem_type(), context, place));
        case proto::TypeProto::kMapType:
            return {.kind = Type::Kind::map,
                    .key = importElement(type.map_type().key_type(), context, place),
                    .inner = std::make_shared<const Type>(
                        importType(type.map_type().value_type(), context, place))};
        default:
            return {};
    }
}

}  // namespace engine::onnx
