#include "engine/ops/concat.h"

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {

void joinTensors(KernelContext& context, const std::vector<const Tensor*>& parts, int64_t axis) {
    Dims dims = parts.at(0)->dims();
    const auto at = static_cast<size_t>(normalizedAxis(axis, static_cast<int64_t>(dims.size())));
    for (size_t i = 1; i < parts.size(); ++i) {
        Dims expected = parts[i]->dims();
        if (expected.size() == dims.size()) expected[at] = dims[at];
        if (expected != dims || parts[i]->type() != parts[0]->type()) {
            fail("input ", i, " is ", typeText(Datum(*parts[i]).type()), ", input 0 is ",
                 typeText(Datum(*parts[0]).type()), ": they may differ along axis ", at, " only");
        }
        dims[at] += parts[i]->dims()[at];
    }
    Tensor& output = context.output(0, parts[0]->type(), dims);
    int64_t blocks = 1;
    for (size_t i = 0; i < at; ++i) blocks *= dims[i];
    dispatchStorage(output.type(), [&]<typename T>(std::type_identity<T>) {
        auto to = mutableElementsAs<T>(output).begin();
        Pace pace(context);
        for (int64_t block = 0; block < blocks; ++block) {
            for (const Tensor* part : parts) {
                const int64_t length = part->elements() / blocks;
                const auto from = elementsAs<T>(*part).subspan(static_cast<size_t>(block * length),
                                                               static_cast<size_t>(length));
                to = std::copy(from.begin(), from.end(), to);
                pace.spend(length);
            }
        }
    });
}

namespace {

struct Attributes {
    int64_t axis;
};

Attributes parse(const AttributeReader& reader) { return {.axis = reader.integer("axis")}; }

void propagate(InferContext& context, const Shape& shape) {
    if (shape.size() != 1) return;
    std::vector<Dim> elements;
    bool isAnyKnown = false;
    for (size_t i = 0; i < context.inputCount(); ++i) {
        const Dim& length = (*context.inputShape(i))[0];
        auto part = context.inputElements(i);
        isAnyKnown = isAnyKnown || part.has_value();
        if (!part && (!length.isNumber() || length.number() > 4096)) return;
        if (!part) part.emplace(static_cast<size_t>(length.number()));
        elements.insert(elements.end(), part->begin(), part->end());
    }
    if (isAnyKnown) context.setOutputElements(0, std::move(elements));
}

void infer(InferContext& context) {
    if (context.inputCount() == 0) fail("found no input, expected at least one");
    const DataType element = context.inputElement(0);
    std::optional<Shape> joined;
    bool isLengthKnown = true;
    int64_t axis = 0;
    for (size_t i = 0; i < context.inputCount(); ++i) {
        if (context.inputElement(i) != element) {
            fail("input ", i, " has elements of type ", context.inputElement(i), ", input 0 of ", element);
        }
        const Shape* shape = context.inputShape(i);
        if (shape == nullptr) {
            isLengthKnown = false;
            continue;
        }
        if (!joined) {
            joined = *shape;
            axis = normalizedAxis(context.attributes<Attributes>().axis, static_cast<int64_t>(shape->size()));
            continue;
        }
        if (shape->size() != joined->size()) {
            fail("input ", i, " has rank ", shape->size(), ", input 0 has ", joined->size());
        }
        for (size_t k = 0; k < shape->size(); ++k) {
            Dim& dim = (*joined)[k];
            const bool isAxis = k == static_cast<size_t>(axis);
            dim = isAxis ? dim + (*shape)[k] : agreed(dim, (*shape)[k], "dims beside the axis");
        }
    }
    if (!joined) return context.setOutput(0, element);
    if (!isLengthKnown) (*joined)[static_cast<size_t>(axis)] = Dim();
    if (isLengthKnown) propagate(context, *joined);
    context.setOutput(0, element, std::move(*joined));
}

void reference(KernelContext& context) {
    std::vector<const Tensor*> parts;
    for (size_t i = 0; i < context.inputCount(); ++i) parts.push_back(&context.input(i));
    joinTensors(context, parts, context.attributes<Attributes>().axis);
}

const OpDef concat{
    .name = "Concat",
    .sinceVersion = 4,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{concat};

void nameAxis(NodeRewriter& node) {
    node.setAttribute("axis", node.attributes().integer("axis", 1));
    node.setVersion(4);
}
const OpUpgrade upgrade{"Concat", 1, nameAxis};
const Register<OpUpgrade> registeredUpgrade{upgrade};

}  // namespace
}  // namespace engine
