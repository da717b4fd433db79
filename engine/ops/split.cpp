#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/divide.h"
#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis;
    std::optional<int64_t> parts;
};

Attributes parse(const AttributeReader& reader) {
    return {.axis = reader.integer("axis", 0), .parts = reader.maybeInteger("num_outputs")};
}

/// Lengths of the parts where no input gives them: equal, the last one shorter if it has to be.
std::vector<int64_t> equalParts(int64_t length, int64_t count) {
    if (count < 1) fail("there are ", count, " parts to split into, expected one or more");
    const int64_t each = ceilDivide(length, count);
    std::vector<int64_t> result;
    for (int64_t i = 0; i < count; ++i)
        result.push_back(std::min(each, std::max<int64_t>(length - i * each, 0)));
    return result;
}

void checkParts(const std::vector<int64_t>& parts, size_t outputs, int64_t length) {
    int64_t sum = 0;
    for (const int64_t part : parts) {
        if (part < 0) fail("split ", listText(parts), " holds a negative length");
        if (__builtin_add_overflow(sum, part, &sum)) fail("split ", listText(parts), " overflows");
    }
    if (sum != length) fail("split ", listText(parts), " adds up to ", sum, ", the axis has ", length);
    if (parts.size() != outputs) fail("split has ", parts.size(), " lengths for ", outputs, " outputs");
}

int64_t partCount(const Attributes& attributes, size_t outputs) {
    const int64_t count = attributes.parts.value_or(static_cast<int64_t>(outputs));
    if (count != static_cast<int64_t>(outputs))
        fail("num_outputs is ", count, ", the node has ", outputs, " outputs");
    return count;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const DataType element = context.inputElement(0);
    const Shape* shape = context.inputShape(0);
    const int64_t count = partCount(attributes, context.outputCount());
    if (shape == nullptr) {
        for (size_t i = 0; i < context.outputCount(); ++i) context.setOutput(i, element);
        return;
    }
    const auto axis =
        static_cast<size_t>(normalizedAxis(attributes.axis, static_cast<int64_t>(shape->size())));
    const Dim length = (*shape)[axis];
    std::vector<Dim> parts(context.outputCount());
    if (context.hasInput(1)) {
        if (const auto given = context.inputElements(1)) parts = *given;
        if (parts.size() != context.outputCount())
            fail("split has ", parts.size(), " lengths for ", context.outputCount(), " outputs");
        if (const auto lengths = numbers(parts); lengths && length.isNumber())
            checkParts(*lengths, context.outputCount(), length.number());
    } else if (length.isNumber()) {
        const std::vector<int64_t> equal = equalParts(length.number(), count);
        parts.assign(equal.begin(), equal.end());
    } else {
        const Dim each = ceilDiv(length, Dim(count));
        parts.assign(parts.size(), each);
        parts.back() = length - each * Dim(count - 1);
    }
    for (size_t i = 0; i < parts.size(); ++i) {
        Shape part = *shape;
        part[axis] = parts[i];
        context.setOutput(i, element, std::move(part));
    }
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    const auto axis = static_cast<size_t>(normalizedAxis(attributes.axis, input.rank()));
    const AxisSplit split = splitAt(input.dims(), axis);
    const std::vector<int64_t> parts =
        context.hasInput(1) ? context.input(1).toInt64()
                            : equalParts(split.length, partCount(attributes, context.outputCount()));
    checkParts(parts, context.outputCount(), split.length);
    int64_t start = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
        Dims dims = input.dims();
        dims[axis] = parts[i];
        Tensor& output = context.output(i, input.type(), dims);
        dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
            const T* from = elementsAs<T>(input).data() + start * split.inner;
            T* to = mutableElementsAs<T>(output).data();
            for (int64_t row = 0; row < split.outer; ++row) {
                context.checkpoint();
                to = std::copy_n(from + row * split.length * split.inner, parts[i] * split.inner, to);
            }
        });
        start += parts[i];
    }
}

const OpDef split{
    .name = "Split",
    .sinceVersion = 13,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{split};

const OpUpgrade lengthsToInput{
    .name = "Split",
    .sinceVersion = 1,
    .rewrite =
        [](NodeRewriter& node) {
            node.integersToInput("split", 1);
            node.setVersion(13);
        },
};
const Register<OpUpgrade> registeredUpgrade{lengthsToInput};

}  // namespace
}  // namespace engine
