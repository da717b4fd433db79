#include "engine/ops/window.h"

#include <algorithm>

#include "engine/core/divide.h"
#include "engine/core/error.h"
#include "engine/core/tensor.h"

namespace engine {
namespace {

// Small enough that no product of two of them, nor a sum of some such products, overflows.
constexpr int64_t largestNumber = int64_t{1} << 30;

int64_t at(const std::vector<int64_t>& list, size_t index, int64_t fallback) {
    return list.empty() ? fallback : list[index];
}

std::vector<int64_t> readList(const AttributeReader& reader, const char* name, int64_t smallest) {
    std::vector<int64_t> list = reader.integers(name);
    for (const int64_t number : list) {
        if (number < smallest || number > largestNumber) {
            fail(name, ": found ", listText(list), ", expected numbers from ", smallest, " to ",
                 largestNumber);
        }
    }
    return list;
}

AutoPad readAutoPad(const AttributeReader& reader) {
    const std::string word =
        reader.choice("auto_pad", "NOTSET", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
    if (word == "SAME_UPPER") return AutoPad::sameUpper;
    if (word == "SAME_LOWER") return AutoPad::sameLower;
    return word == "VALID" ? AutoPad::valid : AutoPad::notSet;
}

void checkLength(const char* name, const std::vector<int64_t>& list, size_t expected) {
    if (!list.empty() && list.size() != expected) {
        fail(name, " has ", list.size(), " values, expected ", expected);
    }
}

bool isSame(AutoPad autoPad) { return autoPad == AutoPad::sameUpper || autoPad == AutoPad::sameLower; }

struct Pads {
    int64_t begin = 0;
    int64_t end = 0;
};

Pads explicitPads(const WindowAttributes& window, size_t axis) {
    if (window.autoPad != AutoPad::notSet || window.pads.empty()) return {};
    return {window.pads[axis], window.pads[window.pads.size() / 2 + axis]};
}

// Of an odd total, "upper" puts the odd pad at the end, "lower" at the beginning.
Pads split(int64_t total, bool oddAtEnd) {
    const int64_t smaller = total / 2;
    return oddAtEnd ? Pads{smaller, total - smaller} : Pads{total - smaller, smaller};
}

Dim checkedSize(size_t axis, const Dim& output) {
    if (output.isNumber() && output.number() < 0) {
        fail("spatial axis ", axis, ": the output would have ", output, " elements");
    }
    return output;
}

// So that products of sizes along several axes cannot overflow either.
void checkProducts(const std::vector<WindowAxis>& axes) {
    Dims input;
    Dims output;
    Dims kernel;
    for (const WindowAxis& axis : axes) {
        input.push_back(axis.input);
        output.push_back(axis.output);
        kernel.push_back(axis.kernel);
    }
    for (const Dims* dims : {&input, &output, &kernel}) elementCount(*dims);
}

void checkSizes(size_t axis, int64_t kernel, int64_t input) {
    if (kernel < 1 || kernel > largestNumber || input < 0 || input > largestNumber) {
        fail("spatial axis ", axis, ": found kernel ", kernel, " on ", input, " elements, expected 1 to ",
             largestNumber, " of each");
    }
}

}  // namespace

WindowAttributes readWindow(const AttributeReader& reader) {
    WindowAttributes window{.kernel = readList(reader, "kernel_shape", 1),
                            .strides = readList(reader, "strides", 1),
                            .dilations = readList(reader, "dilations", 1),
                            .pads = readList(reader, "pads", -largestNumber),
                            .autoPad = readAutoPad(reader),
                            .ceilMode = reader.integer("ceil_mode", 0) != 0};
    if (window.pads.size() % 2 != 0)
        fail("pads has ", window.pads.size(), " values, expected an even number");
    for (const size_t axes :
         {window.kernel.size(), window.strides.size(), window.dilations.size(), window.pads.size() / 2}) {
        if (axes != 0) checkWindowRank(window, axes);
    }
    return window;
}

void checkWindowRank(const WindowAttributes& window, size_t axes) {
    checkLength("kernel_shape", window.kernel, axes);
    checkLength("strides", window.strides, axes);
    checkLength("dilations", window.dilations, axes);
    checkLength("pads", window.pads, 2 * axes);
}

Dim windowOutput(const WindowAttributes& window, size_t axis, const Dim& kernel, const Dim& input) {
    const Dim stride = at(window.strides, axis, 1);
    if (isSame(window.autoPad)) return ceilDiv(input, stride);
    const Pads pads = explicitPads(window, axis);
    const Dim extent = (kernel - 1) * Dim(at(window.dilations, axis, 1)) + 1;
    const Dim room = input + pads.begin + pads.end - extent;
    if (window.ceilMode) {
        return checkedSize(axis, minimum(ceilDiv(room, stride) + 1, ceilDiv(input + pads.begin, stride)));
    }
    // ONNX divides towards zero: a window less than a stride too long for the input still fits once.
    if (room.isNumber()) return checkedSize(axis, room.number() / stride.number() + 1);
    return floorDiv(room, stride) + 1;
}

std::vector<WindowAxis> windowAxes(const WindowAttributes& window, const Dims& kernel, const Dims& input) {
    checkWindowRank(window, input.size());
    checkLength("kernel", kernel, input.size());
    std::vector<WindowAxis> axes(input.size());
    for (size_t i = 0; i < axes.size(); ++i) {
        checkSizes(i, kernel[i], input[i]);
        WindowAxis& axis = axes[i];
        axis = {.input = input[i],
                .output = windowOutput(window, i, kernel[i], input[i]).number(),
                .kernel = kernel[i],
                .stride = at(window.strides, i, 1),
                .dilation = at(window.dilations, i, 1)};
        const int64_t needed = (axis.output - 1) * axis.stride + axis.extent() - axis.input;
        const Pads pads = isSame(window.autoPad)
                              ? split(std::max<int64_t>(needed, 0), window.autoPad == AutoPad::sameUpper)
                              : explicitPads(window, i);
        axis.padBegin = pads.begin;
        axis.padEnd = pads.end;
        if (axis.input + pads.begin + pads.end <= axis.extent() - axis.stride) {
            fail("spatial axis ", i, ": the window spans ", axis.extent(), " elements, but there are only ",
                 axis.input, " with pads of ", pads.begin, " and ", pads.end);
        }
    }
    checkProducts(axes);
    return axes;
}

Dim transposedOutput(const TransposedWindow& transposed, size_t axis, const Dim& kernel, const Dim& input) {
    const WindowAttributes& window = transposed.window;
    if (!transposed.outputShape.empty()) return transposed.outputShape[axis];
    const Dim stride = at(window.strides, axis, 1);
    if (isSame(window.autoPad)) return input * stride;
    const Pads pads = explicitPads(window, axis);
    const Dim extent = (kernel - 1) * Dim(at(window.dilations, axis, 1)) + 1;
    return checkedSize(
        axis, stride * (input - 1) + at(transposed.outputPadding, axis, 0) + extent - pads.begin - pads.end);
}

std::vector<WindowAxis> transposedAxes(const TransposedWindow& transposed, const Dims& kernel,
                                       const Dims& input) {
    const WindowAttributes& window = transposed.window;
    checkWindowRank(window, input.size());
    checkLength("output_padding", transposed.outputPadding, input.size());
    checkLength("output_shape", transposed.outputShape, input.size());
    std::vector<WindowAxis> axes(input.size());
    for (size_t i = 0; i < axes.size(); ++i) {
        checkSizes(i, kernel[i], input[i]);
        WindowAxis& axis = axes[i];
        axis = {.input = transposedOutput(transposed, i, kernel[i], input[i]).number(),
                .output = input[i],
                .kernel = kernel[i],
                .stride = at(window.strides, i, 1),
                .dilation = at(window.dilations, i, 1)};
        const int64_t natural =
            axis.stride * (axis.output - 1) + at(transposed.outputPadding, i, 0) + axis.extent();
        const bool isDerived = isSame(window.autoPad) || !transposed.outputShape.empty();
        const Pads pads = isDerived ? split(std::max<int64_t>(natural - axis.input, 0),
                                            window.autoPad == AutoPad::sameUpper)
                                    : explicitPads(window, i);
        axis.padBegin = pads.begin;
        axis.padEnd = pads.end;
    }
    checkProducts(axes);
    return axes;
}

std::vector<int64_t> tapsPerWindow(const WindowAxis& axis, CountPads countPads) {
    const int64_t first = countPads == CountPads::yes ? -axis.padBegin : 0;
    const int64_t last = axis.input + (countPads == CountPads::yes ? axis.padEnd : 0);
    std::vector<int64_t> counts(static_cast<size_t>(axis.output));
    for (int64_t o = 0; o < axis.output; ++o) {
        const int64_t start = o * axis.stride - axis.padBegin;
        const int64_t skipped = std::max<int64_t>(ceilDivide(first - start, axis.dilation), 0);
        const int64_t reached = ceilDivide(last - start, axis.dilation);
        counts[static_cast<size_t>(o)] = std::max<int64_t>(std::min(axis.kernel, reached) - skipped, 0);
    }
    return counts;
}

WindowRows::WindowRows(const std::vector<WindowAxis>& axes) : axes_(std::max<size_t>(axes.size(), 1)) {
    for (size_t i = axes.size(); i-- > 0;) {
        const WindowAxis& window = axes[i];
        const int64_t lastStart = (window.output - 1) * window.stride - window.padBegin;
        axes_[i] = {
            .window = window,
            .tapStride = taps_,
            .inputStride = inputElements_,
            .outputStride = outputElements_,
            .firstTap = std::max<int64_t>(ceilDivide(-lastStart, window.dilation), 0),
            .lastTap = std::min(ceilDivide(window.input + window.padBegin, window.dilation), window.kernel)};
        inputElements_ *= window.input;
        outputElements_ *= window.output;
        taps_ *= window.kernel;
    }
}

WindowRow WindowRows::Axis::row(int64_t tap) const {
    const int64_t shift = tap * window.dilation - window.padBegin;
    const int64_t first = std::max<int64_t>(ceilDivide(-shift, window.stride), 0);
    const int64_t last = std::min(ceilDivide(window.input - shift, window.stride), window.output);
    return {.tap = tap * tapStride,
            .input = (first * window.stride + shift) * inputStride,
            .output = first * outputStride,
            .count = last - first};
}

}  // namespace engine
