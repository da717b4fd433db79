#pragma once

#include <optional>
#include <string>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "engine/ops/activation.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/function.h"

namespace engine::cpu {

/// One operation on a result while it is still in registers.
struct PostOp {
    enum class Kind : uint8_t {
        unary,
        channels,  ///< scale[c] x + shift[c], constant
        binary,    ///< with another value: whole, or one number per channel
    };
    Kind kind = Kind::unary;
    Unary unary = {};
    std::vector<float> scale = {};
    std::vector<float> shift = {};
    dnnl::algorithm algorithm = dnnl::algorithm::undef;
    ValueId operand = {};
    // What holds once this operation is done.
    ValueId result = {};
    std::vector<NodeId> nodes = {};
};

/// What follows a convolution or a matrix product and may be done with it.
struct Epilogue {
    ValueId start;  ///< the product itself
    std::vector<PostOp> posts;

    /// The value that exists after the first `count` operations.
    ValueId result(size_t count) const { return count == 0 ? start : posts[count - 1].result; }
};

/// Follows the readers of `value` as far as nobody else needs what lies between. `channelAxis` is the axis
/// with one number per output channel.
Epilogue matchEpilogue(CpuBuilder& builder, ValueId value, int64_t channelAxis);

/// A fused operator's activation as a function, or nothing if there is none.
std::optional<Unary> unaryOf(const Activation& activation);

/// The leading operations of the epilogue that can be folded into constant weights and bias: how many, and as
/// one scale and shift per channel.
struct Folding {
    size_t count = 0;
    std::vector<float> scale;
    std::vector<float> shift;
};
Folding foldLeading(const Epilogue& epilogue, int64_t channels);

/// How the result of a product is told to oneDNN: as it is, or as a matrix of rows.
struct PostShape {
    Dims dims;            ///< of the product's description
    int64_t channelAxis;  ///< in those dims
    Order order;          ///< in which it lies
};

/// Operations of an epilogue as oneDNN's post-ops, and what they read.
struct OnednnPosts {
    dnnl::post_ops ops = {};
    std::vector<std::pair<int, dnnl::memory::desc>> arguments = {};
    std::string text = {};  ///< " +relu +add": for kernel names
    /// Per argument: another value, or numbers per channel.
    struct Operand {
        ValueId value = {};
        std::vector<float> numbers = {};
    };
    std::vector<Operand> operands = {};
};
/// The operations first … first+count-1, done on a result of that shape.
OnednnPosts onednnPosts(const CpuBuilder& builder, const Epilogue& epilogue, size_t first, size_t count,
                        const PostShape& shape);
/// Appends the slots that the operations read; whole values in `order`, the order of the graph's value.
void takeOperands(CpuBuilder& builder, const OnednnPosts& posts, const Order& order,
                  std::vector<SlotId>& inputs);

/// Whether oneDNN has the function as a post-op.
bool hasOnednnForm(const Unary& unary);
void appendOnednn(dnnl::post_ops& ops, const Unary& unary);

}  // namespace engine::cpu
