#include <algorithm>
#include <random>

#include "engine/core/dispatch.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

struct Attributes {
    std::optional<int64_t> seed;
};

Attributes parse(const AttributeReader& reader) { return {reader.maybeInteger("seed")}; }

template <class Function>
void dispatchData(DataType type, const Function& function) {
    dispatchAmong<float, double, Float16, BFloat16, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ>(
        type, function);
}

void infer(InferContext& context) {
    inferSameAsInput(context);
    if (const DataType element = context.inputElement(0); element != DataType::undefined)
        dispatchData(element, [](auto) {});
    Type mask = context.inputType(0);
    mask.element = DataType::boolean;
    context.setOutput(1, std::move(mask));
}

double ratioOf(const KernelContext& context) {
    if (!context.hasInput(1)) return 0.5;
    const double ratio = context.input(1).toDouble().at(0);
    if (!(ratio >= 0 && ratio < 1)) fail("the ratio is ", ratio, ", expected at least 0 and less than 1");
    return ratio;
}

/// Numbers of at least 0 and less than 1, each from 53 random bits. With the attribute `seed` they are those
/// of ONNX's own implementation.
class Uniform {
public:
    explicit Uniform(uint64_t seed) : random_(static_cast<uint32_t>(seed)) {}

    double operator()() {
        const uint64_t high = random_() >> 5;
        const uint64_t low = random_() >> 6;
        return static_cast<double>((high << 26) | low) / 9007199254740992.0;
    }

private:
    std::mt19937 random_;
};

/// Outside of training the input as it is; in training each element is dropped with probability `ratio`, and
/// the others are scaled so that the mean stays.
void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    const bool isTraining = context.hasInput(2) && onlyElement<bool>(context.input(2), "training_mode");
    const double ratio = isTraining ? ratioOf(context) : 0;
    const auto& seed = context.attributes<Attributes>().seed;
    Uniform uniform(seed ? static_cast<uint64_t>(*seed) : context.seed());
    const auto mask = context.output(1, DataType::boolean, input.dims()).mutableValues<bool>();
    for (bool& keep : mask) keep = ratio == 0 || uniform() >= ratio;
    Tensor& output = context.output(0, input.dims());
    dispatchData(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = input.values<T>();
        const auto to = output.mutableValues<T>();
        if (ratio == 0) {
            std::copy(from.begin(), from.end(), to.begin());
            return;
        }
        for (size_t i = 0; i < to.size(); ++i) {
            to[i] = static_cast<T>(mask[i] ? static_cast<float>(static_cast<double>(from[i]) / (1 - ratio))
                                           : 0.0F);
        }
    });
}

const OpDef dropout{
    .name = "Dropout",
    .sinceVersion = 12,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::random,
};
const Register<OpDef> registered{dropout};

/// The ratio was an attribute. `is_test` of the oldest forms chose inference, which is all that a file can
/// mean to run.
void ratioToInput(NodeRewriter& node) {
    if (const auto ratio = node.attributes().maybeNumber("ratio")) node.setInput(1, Tensor::scalar(*ratio));
    for (const char* name : {"ratio", "is_test", "consumed_inputs"}) node.removeAttribute(name);
    node.setVersion(12);
}

const OpUpgrade upgrade{.name = "Dropout", .sinceVersion = 1, .rewrite = ratioToInput};
const Register<OpUpgrade> registeredUpgrade{upgrade};

}  // namespace
}  // namespace engine
