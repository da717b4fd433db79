#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/fourier.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

// Inputs: signal [batch, length, 1 or 2], frame_step, optional window, optional frame_length.
struct Attributes {
    bool isOneSided = true;
};

Attributes parse(const AttributeReader& reader) { return {.isOneSided = reader.integer("onesided", 1) != 0}; }

Dim single(const InferContext& context, size_t index) {
    const auto elements = context.inputElements(index);
    return elements && elements->size() == 1 ? elements->front() : Dim();
}

void infer(InferContext& context) {
    context.checkRank(0, 3, "signal");
    const Shape* signal = context.inputShape(0);
    Dim frame = signal != nullptr ? (*signal)[1] : Dim();
    if (context.hasInput(2)) {
        context.checkRank(2, 1, "window");
        const Shape* window = context.inputShape(2);
        frame = window != nullptr ? window->front() : Dim();
    }
    if (context.hasInput(3)) frame = single(context, 3);
    const Dim length = signal != nullptr ? (*signal)[1] : Dim();
    const Dim frames = floorDiv(length - frame, single(context, 1)) + 1;
    const Dim bins = context.attributes<Attributes>().isOneSided ? floorDiv(frame, 2) + 1 : frame;
    context.setOutput(0, context.inputElement(0),
                      {signal != nullptr ? (*signal)[0] : Dim(), frames, bins, 2});
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.outputElements(0) * Dim(20)};  // about log2 of a usual length, twice
}

int64_t singleInteger(const KernelContext& context, size_t index, const char* what) {
    const std::vector<int64_t> values = context.input(index).toInt64();
    if (values.size() != 1) failNotSingle(context.input(index), what);
    if (values[0] < 1) fail(what, ": found ", values[0], ", expected at least 1");
    return values[0];
}

// The weights of one frame.
std::vector<double> windowOf(const KernelContext& context, int64_t length) {
    std::vector<double> window;
    if (context.hasInput(2)) {
        checkRank(context.input(2), 1, "window");
        window = context.input(2).toDouble();
    }
    int64_t frame = window.empty() ? length : static_cast<int64_t>(window.size());
    if (context.hasInput(3)) frame = singleInteger(context, 3, "frame_length");
    if (frame < 1 || frame > length)
        fail("signal: found ", length, " samples, expected at least a frame of ",
             std::max<int64_t>(frame, 1));
    if (window.empty()) window.assign(static_cast<size_t>(frame), 1);
    if (static_cast<int64_t>(window.size()) != frame) {
        fail("window: found ", window.size(), " weights, expected ", frame, " as frame_length says");
    }
    return window;
}

template <class T>
void transform(KernelContext& context) {
    const Tensor& x = context.input(0);
    checkRank(x, 3, "signal");
    const auto signal = x.values<T>();
    const int64_t length = x.dims()[1];
    const int64_t parts = x.dims()[2];
    if (parts != 1 && parts != 2)
        fail("signal: found shape ", listText(x.dims()), ", expected a last axis of 1 or 2");
    const bool isOneSided = context.attributes<Attributes>().isOneSided;
    if (isOneSided && parts == 2)
        fail("signal: found complex numbers, expected real ones for a one-sided spectrum");
    const int64_t step = singleInteger(context, 1, "frame_step");
    const std::vector<double> window = windowOf(context, length);
    const auto frame = static_cast<int64_t>(window.size());
    const int64_t frames = (length - frame) / step + 1;
    const int64_t bins = isOneSided ? frame / 2 + 1 : frame;
    auto to = context.output(0, {x.dims()[0], frames, bins, 2}).template mutableValues<T>().begin();

    Pace pace(context);
    for (int64_t f = 0; f < x.dims()[0] * frames; ++f) {
        const int64_t start = f / frames * length + f % frames * step;
        std::vector<std::complex<double>> values(window.size());
        for (size_t i = 0; i < values.size(); ++i) {
            const auto at = (static_cast<size_t>(start) + i) * static_cast<size_t>(parts);
            values[i] = {static_cast<double>(signal[at]),
                         parts == 2 ? static_cast<double>(signal[at + 1]) : 0};
            values[i] *= window[i];
        }
        values = fourier(std::move(values), FourierDirection::forward, pace);
        for (int64_t k = 0; k < bins; ++k) {
            *to++ = static_cast<T>(values[static_cast<size_t>(k)].real());
            *to++ = static_cast<T>(values[static_cast<size_t>(k)].imag());
        }
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { transform<T>(context); });
}

const OpDef stft{
    .name = "STFT",
    .sinceVersion = 17,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{stft};

}  // namespace
}  // namespace engine
