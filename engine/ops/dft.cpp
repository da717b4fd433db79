#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/fourier.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

// Inputs: a signal whose last axis holds real and imaginary part (or the real one alone), length, axis.
struct Attributes {
    bool isInverse = false;
    bool isOneSided = false;

    // From one side of the spectrum back to a real signal.
    bool isRealInverse() const { return isInverse && isOneSided; }
};

Attributes parse(const AttributeReader& reader) {
    return {.isInverse = reader.integer("inverse", 0) != 0, .isOneSided = reader.integer("onesided", 0) != 0};
}

void checkSignal(int64_t rank) {
    if (rank < 2)
        fail("input: found rank ", rank, ", expected signal axes and one for real and imaginary parts");
}

int64_t checkedAxis(int64_t axis, int64_t rank) {
    checkSignal(rank);
    const int64_t at = normalizedAxis(axis, rank);
    if (at == rank - 1)
        fail("axis ", axis, " holds real and imaginary parts, expected an axis of the signal");
    return at;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Shape* input = context.inputShape(0);
    const DataType element = context.inputElement(0);
    if (input == nullptr) return context.setOutput(0, element);
    Shape output = *input;
    checkSignal(static_cast<int64_t>(output.size()));
    output.back() = attributes.isRealInverse() ? 1 : 2;
    int64_t axis = -2;
    if (context.hasInput(2)) {
        const Tensor* given = context.inputData(2);
        if (given == nullptr) {
            const bool keepsLength = !attributes.isOneSided && !context.hasInput(1);
            if (!keepsLength) std::fill(output.begin(), output.end() - 1, Dim());
            return context.setOutput(0, element, std::move(output));
        }
        axis = onlyElement<int64_t>(*given, "axis");
    }
    Dim& size = output[static_cast<size_t>(checkedAxis(axis, static_cast<int64_t>(input->size())))];
    Dim length = attributes.isRealInverse() ? (size - 1) * 2 : size;
    if (context.hasInput(1)) {
        const auto given = context.inputElements(1);
        length = given && given->size() == 1 ? given->front() : Dim();
    }
    size = attributes.isOneSided && !attributes.isInverse ? floorDiv(length, 2) + 1 : length;
    context.setOutput(0, element, std::move(output));
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.outputElements(0) * Dim(20)};  // about log2 of a usual length, twice
}

// The spectrum's other half follows from the first: conjugates in reverse order.
void completeSpectrum(std::vector<std::complex<double>>& values) {
    const std::vector<std::complex<double>> half(
        values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2 + 1));
    // Not by std::conj: GCC 12 drops such a loop when it optimises.
    for (size_t k = half.size(); k < values.size(); ++k) {
        const std::complex<double>& mirrored = half[values.size() - k];
        values[k] = {mirrored.real(), -mirrored.imag()};
    }
}

template <class T>
void transform(KernelContext& context, int64_t axis, int64_t length) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    const auto input = x.values<T>();
    const int64_t parts = x.dims().back();
    Dims dims = x.dims();
    const int64_t size = dims[static_cast<size_t>(axis)];
    const int64_t outputSize = attributes.isOneSided && !attributes.isInverse ? length / 2 + 1 : length;
    const int64_t outputParts = attributes.isRealInverse() ? 1 : 2;
    dims[static_cast<size_t>(axis)] = outputSize;
    dims.back() = outputParts;
    const auto output = context.output(0, dims).template mutableValues<T>();
    const int64_t outer = elementCount(Dims(dims.begin(), dims.begin() + axis));
    const int64_t inner = elementCount(Dims(dims.begin() + axis + 1, dims.end() - 1));

    Pace pace(context);
    for (int64_t line = 0; line < outer * inner; ++line) {
        const int64_t o = line / inner;
        const int64_t i = line % inner;
        std::vector<std::complex<double>> signal(static_cast<size_t>(length));
        for (int64_t k = 0; k < std::min(size, length); ++k) {
            const auto at = static_cast<size_t>(((o * size + k) * inner + i) * parts);
            signal[static_cast<size_t>(k)] = {static_cast<double>(input[at]),
                                              parts == 2 ? static_cast<double>(input[at + 1]) : 0};
        }
        if (attributes.isRealInverse()) completeSpectrum(signal);
        signal = fourier(std::move(signal),
                         attributes.isInverse ? FourierDirection::inverse : FourierDirection::forward, pace);
        for (int64_t k = 0; k < outputSize; ++k) {
            const auto at = static_cast<size_t>(((o * outputSize + k) * inner + i) * outputParts);
            output[at] = static_cast<T>(signal[static_cast<size_t>(k)].real());
            if (outputParts == 2) output[at + 1] = static_cast<T>(signal[static_cast<size_t>(k)].imag());
        }
    }
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    const int64_t axis =
        checkedAxis(context.hasInput(2) ? onlyElement<int64_t>(context.input(2), "axis") : -2, x.rank());
    if (x.dims().back() != 1 && x.dims().back() != 2) {
        fail("input: found shape ", listText(x.dims()), ", expected a last axis of 1 or 2");
    }
    const int64_t size = x.dims()[static_cast<size_t>(axis)];
    int64_t length = attributes.isRealInverse() ? 2 * (size - 1) : size;
    if (context.hasInput(1)) {
        const std::vector<int64_t> given = context.input(1).toInt64();
        if (given.size() != 1) failNotSingle(context.input(1), "dft_length");
        length = given[0];
    }
    if (length < 1) fail("dft_length: found ", length, ", expected at least 1");
    if (attributes.isOneSided && !attributes.isInverse && x.dims().back() == 2) {
        fail("input: found complex numbers, expected real ones for a one-sided spectrum");
    }
    dispatchFloat(x.type(), [&]<typename T>(std::type_identity<T>) { transform<T>(context, axis, length); });
}

const OpDef dft{
    .name = "DFT",
    .sinceVersion = 20,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{dft};

// In opset 17 the axis was an attribute.
void rewrite(NodeRewriter& node) {
    const int64_t axis = node.attributes().integer("axis", 1);
    node.removeAttribute("axis");
    node.setInput(2, Tensor::scalar<int64_t>(axis));
    node.setVersion(20);
}

const OpUpgrade dft17{.name = "DFT", .sinceVersion = 17, .rewrite = rewrite};
const Register<OpUpgrade> registeredUpgrade{dft17};

}  // namespace
}  // namespace engine
