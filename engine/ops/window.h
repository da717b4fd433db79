#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/dim.h"
#include "engine/ops/attribute_reader.h"

namespace engine {

/// How ONNX's `auto_pad` chooses the pads.
enum class AutoPad : uint8_t { notSet, sameUpper, sameLower, valid };

/// The attributes by which Conv, the pools and their kin say how a window slides over the spatial axes. An
/// empty list stands for ONNX's default on every axis: stride 1, dilation 1, no pads.
struct WindowAttributes {
    std::vector<int64_t> kernel = {};  ///< empty: the weights' shape tells
    std::vector<int64_t> strides = {};
    std::vector<int64_t> dilations = {};
    std::vector<int64_t> pads = {};  ///< all begins, then all ends; not used unless autoPad is notSet
    AutoPad autoPad = AutoPad::notSet;
    bool ceilMode =
        false;  ///< a last window may stick out, as long as it starts on the input or its begin pad
};

/// Reads kernel_shape, strides, dilations, pads, auto_pad and ceil_mode. Throws Error if the lists disagree
/// on the number of axes or a number is out of range.
WindowAttributes readWindow(const AttributeReader& reader);

/// Throws Error if the attributes are for another number of spatial axes than `axes`.
void checkWindowRank(const WindowAttributes& window, size_t axes);

/// How many windows fit along spatial axis `axis`: the size of the output.
Dim windowOutput(const WindowAttributes& window, size_t axis, const Dim& kernel, const Dim& input);

/// A window's geometry along one spatial axis, as numbers: window `o` puts its tap `k` on the input position
/// o * stride + k * dilation - padBegin.
struct WindowAxis {
    int64_t input = 1;
    int64_t output = 1;
    int64_t kernel = 1;
    int64_t stride = 1;
    int64_t dilation = 1;
    int64_t padBegin = 0;
    int64_t padEnd = 0;

    /// Input positions that one window spans.
    int64_t extent() const { return (kernel - 1) * dilation + 1; }
    bool operator==(const WindowAxis&) const = default;
};

/// The geometry of every spatial axis. Throws Error where a window does not fit into the padded input.
std::vector<WindowAxis> windowAxes(const WindowAttributes& window, const Dims& kernel, const Dims& input);

/// What ConvTranspose adds to a window.
struct TransposedWindow {
    WindowAttributes window = {};
    std::vector<int64_t> outputPadding = {};
    std::vector<int64_t> outputShape = {};  ///< spatial axes only
};

/// The size of ConvTranspose's output along spatial axis `axis`.
Dim transposedOutput(const TransposedWindow& transposed, size_t axis, const Dim& kernel, const Dim& input);

/// A ConvTranspose is a convolution run backwards, so its geometry is that of the convolution which leads
/// from its output back to its input: `WindowAxis::input` is the size of the ConvTranspose's output.
std::vector<WindowAxis> transposedAxes(const TransposedWindow& transposed, const Dims& kernel,
                                       const Dims& input);

/// For each window along the axis, how many of its taps fall on the input (`withPads`: or on its pads; what a
/// last window of ceil mode covers beyond the end pad never counts).
enum class CountPads : uint8_t { no, yes };
std::vector<int64_t> tapsPerWindow(const WindowAxis& axis, CountPads countPads);

/// The meetings of one kernel tap with a stretch of the input: `count` consecutive outputs along the last
/// axis, which read inputs `WindowRows::inputStep()` apart. All are offsets into row-major planes.
struct WindowRow {
    int64_t tap = 0;
    int64_t input = 0;
    int64_t output = 0;
    int64_t count = 1;
};

/// Visits every meeting of a kernel tap with an input element, for any number of spatial axes, by rows: loops
/// over windows become one loop over contiguous outputs, with all tests for pads done ahead. An output meets
/// its taps in ascending order.
class WindowRows {
public:
    explicit WindowRows(const std::vector<WindowAxis>& axes);

    int64_t inputStep() const { return axes_.back().window.stride; }
    int64_t inputElements() const { return inputElements_; }
    int64_t outputElements() const { return outputElements_; }
    int64_t taps() const { return taps_; }

    template <class Visit>
    void forEach(Visit&& visit) const {
        visitFrom(0, WindowRow{}, visit);
    }

private:
    // One axis, with the strides of its position in the three planes and the taps that can meet the input.
    struct Axis {
        WindowAxis window;
        int64_t tapStride = 1;
        int64_t inputStride = 1;
        int64_t outputStride = 1;
        int64_t firstTap = 0;
        int64_t lastTap = 1;

        /// The row of all outputs whose tap `tap` meets the input.
        WindowRow row(int64_t tap) const;
    };

    template <class Visit>
    void visitFrom(size_t index, const WindowRow& from, Visit& visit) const {
        const Axis& axis = axes_[index];
        for (int64_t tap = axis.firstTap; tap < axis.lastTap; ++tap) {
            WindowRow row = axis.row(tap);
            row.tap += from.tap;
            row.input += from.input;
            row.output += from.output;
            if (index + 1 == axes_.size()) {
                if (row.count > 0) visit(row);
                continue;
            }
            for (int64_t i = row.count; i > 0; --i) {
                visitFrom(index + 1, row, visit);
                row.input += axis.window.stride * axis.inputStride;
                row.output += axis.outputStride;
            }
        }
    }

    std::vector<Axis> axes_;
    int64_t inputElements_ = 1;
    int64_t outputElements_ = 1;
    int64_t taps_ = 1;
};

}  // namespace engine
