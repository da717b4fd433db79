#include <algorithm>
#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    DataType output = DataType::float32;
};

Attributes parse(const AttributeReader& reader) {
    return {.output = reader.dataType("output_datatype", DataType::float32)};
}

// Inputs: num_mel_bins, dft_length, sample_rate, lower_edge_hertz, upper_edge_hertz.
void infer(InferContext& context) {
    const auto bands = context.inputElements(0);
    const auto length = context.inputElements(1);
    const auto first = [](const auto& elements) {
        return elements && elements->size() == 1 ? elements->front() : Dim();
    };
    context.setOutput(0, context.attributes<Attributes>().output,
                      {floorDiv(first(length), 2) + 1, first(bands)});
}

int64_t integerInput(const KernelContext& context, size_t index, const char* what) {
    const std::vector<int64_t> values = context.input(index).toInt64();
    if (values.size() != 1) failNotSingle(context.input(index), what);
    if (values[0] < 1) fail(what, ": found ", values[0], ", expected at least 1");
    return values[0];
}

double frequencyInput(const KernelContext& context, size_t index, const char* what) {
    const std::vector<double> values = context.input(index).toDouble();
    if (values.size() != 1) failNotSingle(context.input(index), what);
    if (!(values[0] >= 0 && values[0] < 1e9)) fail(what, ": found ", values[0], ", expected a frequency");
    return values[0];
}

double melOf(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double hertzOf(double mel) { return 700 * (std::pow(10, mel / 2595) - 1); }

// The spectrogram bins at which the bands begin, peak and end: `bands` + 2 of them, evenly spaced in mel.
std::vector<int64_t> edges(int64_t bands, int64_t length, int64_t rate, double low, double high) {
    std::vector<int64_t> result;
    const double step = (melOf(high) - melOf(low)) / static_cast<double>(bands + 2);
    for (int64_t i = 0; i < bands + 2; ++i) {
        const double hertz = hertzOf(melOf(low) + static_cast<double>(i) * step);
        const double bin = std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate));
        if (bin > static_cast<double>(length / 2)) {
            fail("upper_edge_hertz: found ", high, ", expected at most half the sample rate of ", rate);
        }
        result.push_back(static_cast<int64_t>(bin));
    }
    return result;
}

void reference(KernelContext& context) {
    const int64_t bands = integerInput(context, 0, "num_mel_bins");
    const int64_t length = integerInput(context, 1, "dft_length");
    const int64_t rate = integerInput(context, 2, "sample_rate");
    const double low = frequencyInput(context, 3, "lower_edge_hertz");
    const double high = frequencyInput(context, 4, "upper_edge_hertz");
    if (low > high) fail("lower_edge_hertz: found ", low, ", expected at most the upper edge ", high);
    Tensor& matrix = context.output(0, context.attributes<Attributes>().output, {length / 2 + 1, bands});
    const std::vector<int64_t> bins = edges(bands, length, rate, low, high);
    dispatchNumeric(matrix.type(), [&]<typename T>(std::type_identity<T>) {
        const auto output = matrix.mutableValues<T>();
        std::fill(output.begin(), output.end(), static_cast<T>(0.0F));
        for (int64_t band = 0; band < bands; ++band) {
            context.checkpoint();
            const auto at = static_cast<size_t>(band);
            const int64_t begin = bins[at];
            const int64_t peak = bins[at + 1];
            const int64_t end = bins[at + 2];
            const auto set = [&](int64_t bin, int64_t numerator, int64_t denominator) {
                output[static_cast<size_t>(bin * bands + band)] =
                    static_cast<T>(static_cast<float>(numerator) / static_cast<float>(denominator));
            };
            if (begin == peak) set(peak, 1, 1);
            for (int64_t bin = begin; bin <= peak && begin != peak; ++bin)
                set(bin, bin - begin, peak - begin);
            for (int64_t bin = peak; bin < end; ++bin) set(bin, end - bin, end - peak);
        }
    });
}

const OpDef melWeightMatrix{
    .name = "MelWeightMatrix",
    .sinceVersion = 17,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
};
const Register<OpDef> registered{melWeightMatrix};

}  // namespace
}  // namespace engine
