// Operators of com.microsoft that move, count and compare, made of ONNX's.

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

std::string expandDims(BodyWriter& writer) {
    writer.integers("one", {1}).line("row = Reshape (axis, one)").line("axes = Cast <to = 7> (row)");
    writer.line("Y = Unsqueeze (X, axes)");
    return writer.function("(X, axis) => (Y)");
}

std::string range(BodyWriter& writer) {
    writer.integers("none", {});
    writer.line("first = Reshape (start, none)").line("last = Reshape (limit, none)");
    if (writer.has(2)) {
        writer.line("step = Reshape (delta, none)");
    } else {
        writer.scalar("step", 1, "start");
    }
    writer.line("Y = Range (first, last, step)");
    return writer.function("(start, limit, delta) => (Y)");
}

std::string unique(BodyWriter& writer) {
    writer.line("y, places, idx, counts = Unique <sorted = 0> (x)");
    return writer.function("(x) => (y, idx, counts)");
}

std::string gatherNd(BodyWriter& writer) {
    writer.line("places = Cast <to = 7> (indices)").line("output = GatherND (data, places)");
    return writer.function("(data, indices) => (output)");
}

/// All slices of `size` along an axis, `step` apart, with their elements along a new last axis.
std::string unfoldTensor(BodyWriter& writer) {
    const int64_t rank = writer.rank(0, "input");
    const int64_t axis = normalizedAxis(writer.attributes.integer("dim", -1), rank);
    const int64_t size = writer.attributes.integer("size");
    const int64_t step = writer.attributes.integer("step", 1);
    if (size < 1 || step < 1) fail("size and step: found ", size, " and ", step, ", expected at least 1");
    std::vector<int64_t> permutation;
    for (int64_t i = 0; i <= rank; ++i) {
        if (i != axis + 1) permutation.push_back(i);
    }
    permutation.push_back(axis + 1);
    const auto constant = [&](const std::string& name, int64_t value) {
        writer.line(name + " = Constant <value_int = " + std::to_string(value) + "> ()");
    };
    constant("start", 0);
    constant("one", 1);
    constant("step", step);
    constant("size", size);
    constant("less", size - 1);
    writer.integers("none", {}).integers("column", {1});
    writer.line("dims = Shape <start = " + std::to_string(axis) + ", end = " + std::to_string(axis + 1) +
                "> (input)");
    writer.line("length = Reshape (dims, none)").line("end = Sub (length, less)");
    writer.line("firsts = Range (start, end, step)").line("within = Range (start, size, one)");
    writer.line("rows = Unsqueeze (firsts, column)").line("places = Add (rows, within)");
    writer.line("slices = Gather <axis = " + std::to_string(axis) + "> (input, places)");
    writer.line("output = Transpose <perm: ints = " + integersText(permutation) + "> (slices)");
    return writer.function("(input) => (output)");
}

std::string torchEmbedding(BodyWriter& writer) {
    writer.line("Y = Gather (weight, indices)");
    return writer.function("(weight, indices, padding_idx, scale_grad_by_freq) => (Y)");
}

std::string isAllFinite(BodyWriter& writer) {
    const bool nanOnly = writer.attributes.integer("isnan_only", 0) != 0;
    const bool infOnly = writer.attributes.integer("isinf_only", 0) != 0;
    if (nanOnly && infOnly) fail("isnan_only and isinf_only are both set, expected one of them");
    std::string inputs;
    writer.integers("all", {-1}).line("bad0 = Constant <value_int = 0> ()");
    const size_t count = writer.attributes.node().inputs.size();
    for (size_t i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        inputs += (i == 0 ? "" : ", ") + std::string("input") + n;
        writer.line("wide" + n + " = Cast <to = 1> (input" + n + ")");
        writer.line("nan" + n + " = IsNaN (input" + n + ")").line("inf" + n + " = IsInf (wide" + n + ")");
        writer.line("either" + n + " = Or (nan" + n + ", inf" + n + ")");
        writer.line("number" + n + " = Cast <to = 7> (" +
                    (nanOnly   ? "nan"
                     : infOnly ? "inf"
                               : "either") +
                    n + ")");
        writer.line("sum" + n + " = ReduceSum <keepdims = 0> (number" + n + ")");
        writer.line("bad" + std::to_string(i + 1) + " = Add (bad" + n + ", sum" + n + ")");
    }
    writer.line("nothing = Constant <value_int = 0> ()");
    writer.line("output = Equal (bad" + std::to_string(count) + ", nothing)");
    return writer.function("(" + inputs + ") => (output)");
}

std::string cDist(BodyWriter& writer) {
    const std::string metric =
        writer.attributes.choice("metric", "sqeuclidean", {"sqeuclidean", "euclidean"});
    writer.integers("one", {1}).integers("zero", {0}).integers("last", {2});
    writer.line("a = Unsqueeze (A, one)").line("b = Unsqueeze (B, zero)").line("difference = Sub (a, b)");
    writer.line("squares = ReduceSumSquare <keepdims = 0> (difference, last)");
    writer.line(metric == "euclidean" ? "C = Sqrt (squares)" : "C = Identity (squares)");
    return writer.function("(A, B) => (C)");
}

std::string turned(const std::string& name, int64_t rank) {
    std::vector<int64_t> permutation;
    for (int64_t i = 0; i + 2 < rank; ++i) permutation.push_back(i);
    permutation.insert(permutation.end(), {rank - 1, rank - 2});
    return "Transpose <perm: ints = " + integersText(permutation) + "> (" + name + ")";
}

/// A sparse matrix that the file holds is a dense one once it is open.
std::string sparseToDenseMatMul(BodyWriter& writer) {
    if (writer.isSparse(0)) fail("A: found a sparse tensor that only the run brings, expected a constant");
    const auto side = [&](const char* attribute, size_t input, const std::string& name) {
        const bool isTurned = writer.attributes.integer(attribute, 0) != 0;
        return isTurned ? turned(name, writer.rank(input, name.c_str())) : "Identity (" + name + ")";
    };
    writer.line("a = " + side("transA", 0, "A")).line("b = " + side("transB", 1, "B"));
    writer.line("product = MatMul (a, b)");
    writer.scalar("alpha", static_cast<double>(writer.attributes.number("alpha", 1)), "B");
    writer.line("Y = Mul (product, alpha)");
    return writer.function("(A, B) => (Y)");
}

std::string complexProduct(BodyWriter& writer, bool conjugates) {
    writer.integers("axis", {-1});
    writer.line("a, b = Split <axis = -1, num_outputs = 2> (A)");
    writer.line("c, d = Split <axis = -1, num_outputs = 2> (B)");
    writer.line("ac = Mul (a, c)").line("bd = Mul (b, d)").line("ad = Mul (a, d)").line("bc = Mul (b, c)");
    writer.line(conjugates ? "real = Add (ac, bd)" : "real = Sub (ac, bd)");
    writer.line(conjugates ? "imaginary = Sub (bc, ad)" : "imaginary = Add (ad, bc)");
    writer.line("C = Concat <axis = -1> (real, imaginary)");
    return writer.function("(A, B) => (C)");
}

std::string complexMul(BodyWriter& writer) { return complexProduct(writer, false); }
std::string complexMulConj(BodyWriter& writer) { return complexProduct(writer, true); }

void checkFourier(const BodyWriter& writer) {
    if (writer.attributes.integer("onesided", 1) != 1) fail("onesided: expected 1");
    if (writer.attributes.integer("normalized", 0) != 0) fail("normalized: expected 0");
}

int64_t signalAxes(const BodyWriter& writer) {
    const int64_t axes = writer.attributes.integer("signal_ndim", 1);
    if (axes < 1 || axes > 3) fail("signal_ndim: found ", axes, ", expected 1 to 3");
    return axes;
}

/// The last axis by a real transform, the others before it by complex ones.
std::string rfft(BodyWriter& writer) {
    checkFourier(writer);
    const int64_t axes = signalAxes(writer);
    writer.integers("end", {-1}).line("open = Unsqueeze (X, end)");
    writer.line("axis = Constant <value_int = -2> ()").line("y0 = DFT <onesided = 1> (open, , axis)");
    for (int64_t i = 1; i < axes; ++i) {
        const std::string n = std::to_string(i);
        writer.line("axis" + n + " = Constant <value_int = " + std::to_string(-2 - i) + "> ()");
        writer.line("y" + n + " = DFT (y" + std::to_string(i - 1) + ", , axis" + n + ")");
    }
    writer.line("Y = Identity (y" + std::to_string(axes - 1) + ")");
    return writer.function("(X) => (Y)");
}

/// The complex inverse of all axes but the last, then the real one of that: its spectrum is continued by the
/// conjugates of its inner part, backwards.
std::string irfft(BodyWriter& writer) {
    checkFourier(writer);
    const int64_t axes = signalAxes(writer);
    writer.line("x0 = Identity (X)");
    for (int64_t i = 1; i < axes; ++i) {
        const std::string n = std::to_string(i);
        writer.line("axis" + n + " = Constant <value_int = " + std::to_string(-2 - i) + "> ()");
        writer.line("x" + n + " = DFT <inverse = 1> (x" + std::to_string(i - 1) + ", , axis" + n + ")");
    }
    const std::string half = "x" + std::to_string(axes - 1);
    writer.integers("axis", {-2}).integers("start", {-2}).integers("stop", {0}).integers("back", {-1});
    writer.line("inner = Slice (" + half + ", start, stop, axis, back)");
    writer.line("signs_float = Constant <value_floats: floats = [1.0, -1.0]> ()");
    writer.line("signs = CastLike (signs_float, X)").line("mirrored = Mul (inner, signs)");
    writer.line("whole = Concat <axis = -2> (" + half + ", mirrored)");
    writer.line("place = Constant <value_int = -2> ()");
    writer.line("signal = DFT <inverse = 1> (whole, , place)");
    writer.line("real = Constant <value_int = 0> ()").line("Y = Gather <axis = -1> (signal, real)");
    return writer.function("(X) => (Y)");
}

std::string gemmaRotaryEmbedding(BodyWriter& writer) {
    writer.integers("one", {1}).line("sine = Sin (emb)").line("cosine = Cos (emb)");
    writer.line("sines = CastLike (sine, q)").line("cosines = CastLike (cosine, q)");
    writer.line("s = Unsqueeze (sines, one)").line("c = Unsqueeze (cosines, one)");
    writer.line("qc = Mul (q, c)").line("qs = Mul (q_rot, s)").line("output1 = Add (qc, qs)");
    writer.line("kc = Mul (k, c)").line("ks = Mul (k_rot, s)").line("output2 = Add (kc, ks)");
    return writer.function("(emb, q, q_rot, k, k_rot) => (output1, output2)");
}

const OpBody table[] = {
    {"ExpandDims", "com.microsoft", expandDims},
    {"Range", "com.microsoft", range},
    {"Unique", "com.microsoft", unique},
    {"GatherND", "com.microsoft", gatherNd},
    {"UnfoldTensor", "com.microsoft", unfoldTensor},
    {"TorchEmbedding", "com.microsoft", torchEmbedding},
    {"IsAllFinite", "com.microsoft", isAllFinite},
    {"SparseToDenseMatMul", "com.microsoft", sparseToDenseMatMul},
    {"CDist", "com.microsoft", cDist},
    {"ComplexMul", "com.microsoft", complexMul},
    {"ComplexMulConj", "com.microsoft", complexMulConj},
    {"Rfft", "com.microsoft", rfft},
    {"Irfft", "com.microsoft", irfft},
    {"GemmaRotaryEmbedding", "com.microsoft", gemmaRotaryEmbedding},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
