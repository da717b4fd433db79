#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/op.h"
#include "engine/ops/view.h"

namespace engine {
namespace {

struct Attributes {
    bool allowZero;  ///< a 0 in the shape is a 0, not "as the input has it"
};

Attributes parse(const AttributeReader& reader) { return {.allowZero = reader.integer("allowzero", 0) != 0}; }

/// What a -1 in the shape stands for: the elements that the other dims leave. Dims copied from the input
/// count on neither side, so that a copied 0 hides nothing.
Dim remainder(const Shape& input, const Shape& shape, size_t inferred, const std::vector<bool>& isCopied) {
    Dim have = 1;
    Dim named = 1;
    for (size_t i = 0; i < input.size(); ++i) {
        if (i >= isCopied.size() || !isCopied[i]) have *= input[i];
    }
    for (size_t i = 0; i < shape.size(); ++i) {
        if (i != inferred && !isCopied[i]) named *= shape[i];
    }
    const auto isNumber = [](const Dim& dim) { return dim.isNumber(); };
    if (named.isUnknown() && std::all_of(shape.begin(), shape.end(), isNumber)) {
        fail("shape ", shapeText(shape), " has more elements than can be counted");
    }
    const Dim quotient = floorDiv(have, named);
    if (have.isNumber() && named.isNumber() && (named.number() == 0 || quotient * named != have)) {
        fail("shape ", shapeText(shape), " leaves no whole number for its -1 from ", shapeText(input));
    }
    return quotient;
}

/// The result's shape from the entries of the input `shape`. `input` is null if its rank is unknown.
Shape reshaped(const Shape* input, Shape shape, bool allowZero) {
    std::optional<size_t> inferred;
    std::vector<bool> isCopied(shape.size(), false);
    for (size_t i = 0; i < shape.size(); ++i) {
        if (!shape[i].isNumber()) continue;
        const int64_t entry = shape[i].number();
        if (entry < -1) fail("shape ", shapeText(shape), ": found ", entry, ", expected -1 or more");
        if (entry == -1) {
            if (inferred) fail("shape ", shapeText(shape), " has more than one -1");
            inferred = i;
        } else if (entry == 0 && !allowZero) {
            if (input != nullptr && i >= input->size()) {
                fail("shape ", shapeText(shape), ": its 0 at ", i, " has no counterpart in ",
                     shapeText(*input));
            }
            shape[i] = input != nullptr ? (*input)[i] : Dim();
            isCopied[i] = true;
        }
    }
    if (inferred) {
        shape[*inferred] = input != nullptr ? remainder(*input, shape, *inferred, isCopied) : Dim();
    }
    const Dim have = input != nullptr ? elementCount(*input) : Dim();
    const Dim want = elementCount(shape);
    if (have.isNumber() && want.isNumber() && have != want) {
        fail("found ", have, " elements in ", shapeText(*input), ", expected ", want, " for shape ",
             shapeText(shape));
    }
    return shape;
}

void infer(InferContext& context) {
    const DataType element = context.inputElement(0);
    const Shape* input = context.inputShape(0);
    const auto entries = context.inputElements(1);
    context.checkRank(1, 1, "shape");
    if (entries) {
        const bool allowZero = context.attributes<Attributes>().allowZero;
        context.setOutput(0, element, reshaped(input, *entries, allowZero));
        if (entries->size() <= 1) propagateView(context);
        return;
    }
    const Shape* shapeOfShape = context.inputShape(1);
    if (shapeOfShape == nullptr || !(*shapeOfShape)[0].isNumber()) return context.setOutput(0, element);
    context.setOutput(0, element, openShape((*shapeOfShape)[0].number()));
}

void reference(KernelContext& context) {
    const Dims entries = context.input(1).toInt64();
    const Shape input = shapeOf(context.input(0).dims());
    const bool allowZero = context.attributes<Attributes>().allowZero;
    const Shape shape = reshaped(&input, shapeOf(entries), allowZero);
    const std::optional<Dims> dims = numbers(shape);
    if (!dims) fail("shape ", listText(entries), " has more elements than can be counted");
    copyUnderDims(context, *dims);
}

const OpDef reshape{
    .name = "Reshape",
    .sinceVersion = 5,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
    .isView = true,
};
const Register<OpDef> registered{reshape};

void shapeToInput(NodeRewriter& node) {
    node.integersToInput("shape", 1);
    node.removeAttribute("consumed_inputs");
    node.setVersion(5);
}
const OpUpgrade upgrade{"Reshape", 1, shapeToInput};
const Register<OpUpgrade> registeredUpgrade{upgrade};

}  // namespace
}  // namespace engine
