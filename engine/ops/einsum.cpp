#include "engine/ops/einsum.h"

#include <algorithm>
#include <deque>
#include <map>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/offsets.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/sum_type.h"

namespace engine {
namespace {

EinsumTerm parseTerm(const std::string& text, const std::string& equation) {
    EinsumTerm term;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool isLetter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z');
        if (isLetter) {
            (term.hasEllipsis ? term.after : term.before) += text[i];
        } else if (text.compare(i, 3, "...") == 0 && !term.hasEllipsis) {
            term.hasEllipsis = true;
            i += 2;
        } else {
            fail("equation: found '", text.substr(i), "' in '", equation,
                 "', expected letters and one '...'");
        }
    }
    return term;
}

/// Where the equation has no arrow: the letters that occur once, in alphabetical order, after the ellipsis.
EinsumTerm impliedResult(const std::vector<EinsumTerm>& operands) {
    std::map<char, int> counts;
    EinsumTerm result;
    for (const EinsumTerm& operand : operands) {
        for (const char letter : operand.letters()) ++counts[letter];
        result.hasEllipsis = result.hasEllipsis || operand.hasEllipsis;
    }
    for (const auto& [letter, count] : counts) {
        if (count == 1) result.after += letter;
    }
    return result;
}

void checkResult(const EinsumEquation& attributes, const std::string& equation) {
    std::string known;
    bool hasEllipsis = false;
    for (const EinsumTerm& operand : attributes.operands) {
        known += operand.letters();
        hasEllipsis = hasEllipsis || operand.hasEllipsis;
    }
    const std::string letters = attributes.result.letters();
    for (const char letter : letters) {
        if (known.find(letter) == std::string::npos) {
            fail("equation: the result of '", equation, "' has '", letter, "', which no operand has");
        }
        if (std::count(letters.begin(), letters.end(), letter) > 1) {
            fail("equation: the result of '", equation, "' has '", letter, "' twice");
        }
    }
    if (attributes.result.hasEllipsis && !hasEllipsis) {
        fail("equation: the result of '", equation, "' has '...', which no operand has");
    }
}

}  // namespace

EinsumEquation readEinsum(const AttributeReader& reader) {
    std::string equation = reader.string("equation");
    equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
    const size_t arrow = equation.find("->");
    std::string left = equation.substr(0, arrow);
    EinsumEquation attributes;
    for (size_t comma = left.find(','); comma != std::string::npos; comma = left.find(',')) {
        attributes.operands.push_back(parseTerm(left.substr(0, comma), equation));
        left.erase(0, comma + 1);
    }
    attributes.operands.push_back(parseTerm(left, equation));
    attributes.result = arrow == std::string::npos ? impliedResult(attributes.operands)
                                                   : parseTerm(equation.substr(arrow + 2), equation);
    checkResult(attributes, equation);
    return attributes;
}

namespace {

/// What stands for one axis in all terms: a letter, or for axes of the ellipsis -1 for the last, -2 before
/// it…
using Label = int;

std::vector<Label> labelsOf(const EinsumTerm& term, int64_t ellipsisAxes) {
    std::vector<Label> labels(term.before.begin(), term.before.end());
    for (int64_t i = ellipsisAxes; term.hasEllipsis && i > 0; --i) labels.push_back(static_cast<Label>(-i));
    labels.insert(labels.end(), term.after.begin(), term.after.end());
    return labels;
}

/// The labels of each operand, whose ranks are given. `mostEllipsis` is set to the longest ellipsis.
std::vector<std::vector<Label>> operandLabels(const EinsumEquation& attributes,
                                              const std::vector<int64_t>& ranks, int64_t& mostEllipsis) {
    if (attributes.operands.size() != ranks.size()) {
        fail("equation: found ", attributes.operands.size(), " operands, the node has ", ranks.size(),
             " inputs");
    }
    std::vector<std::vector<Label>> labels;
    mostEllipsis = 0;
    for (size_t i = 0; i < ranks.size(); ++i) {
        const EinsumTerm& term = attributes.operands[i];
        const int64_t ellipsis = ranks[i] - static_cast<int64_t>(term.letters().size());
        if (ellipsis < 0 || (ellipsis > 0 && !term.hasEllipsis)) {
            fail("input ", i, ": found rank ", ranks[i], ", the equation names ", term.letters().size(),
                 " axes");
        }
        mostEllipsis = std::max(mostEllipsis, ellipsis);
        labels.push_back(labelsOf(term, ellipsis));
    }
    return labels;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<EinsumEquation>();
    const DataType element = context.inputElement(0);
    std::vector<int64_t> ranks;
    for (size_t i = 0; i < context.inputCount(); ++i) {
        if (context.inputElement(i) != element) {
            fail("input ", i, " has elements of type ", context.inputElement(i), ", input 0 of ", element);
        }
        const auto rank = context.inputRank(i);
        if (!rank) return context.setOutput(0, element);
        ranks.push_back(*rank);
    }
    int64_t ellipsis = 0;
    const auto labels = operandLabels(attributes, ranks, ellipsis);
    std::map<Label, Dim> dims;
    for (size_t i = 0; i < labels.size(); ++i) {
        for (size_t axis = 0; axis < labels[i].size(); ++axis) {
            const Label label = labels[i][axis];
            const Dim& dim = (*context.inputShape(i))[axis];
            const auto found = dims.find(label);
            if (found == dims.end()) {
                dims[label] = dim;
            } else {
                found->second = broadcast({found->second}, {dim})[0];
            }
        }
    }
    Shape output;
    for (const Label label : labelsOf(attributes.result, ellipsis)) output.push_back(dims.at(label));
    context.setOutput(0, element, std::move(output));
}

Work work(const WorkContext& context) {
    const auto& attributes = context.attributes<EinsumEquation>();
    std::map<Label, Dim> dims;
    for (size_t i = 0; i < attributes.operands.size(); ++i) {
        const auto rank = context.inputRank(i);
        if (!rank) return {.multiplyAdds = Dim()};
        const EinsumTerm& term = attributes.operands[i];
        const std::vector<Label> labels = labelsOf(term, *rank - static_cast<int64_t>(term.letters().size()));
        for (size_t axis = 0; axis < labels.size(); ++axis) {
            Dim& dim = dims[labels[axis]];
            const Dim next = context.inputDim(i, static_cast<int64_t>(axis));
            if (dim.isUnknown() || dim == Dim(1)) dim = next;
        }
    }
    Dim products = 1;
    for (const auto& [label, dim] : dims) products *= dim;
    if (attributes.operands.size() == 1) return {.otherFlops = products};
    return {.multiplyAdds = products * Dim(static_cast<int64_t>(attributes.operands.size()) - 1)};
}

/// All axes there are, those of the result first, with each operand's strides along them.
struct Space {
    Dims outputDims = {};
    Dims dims = {};
    std::vector<Dims> strides = {};
};

Space spaceOf(const KernelContext& context) {
    const auto& attributes = context.attributes<EinsumEquation>();
    std::vector<int64_t> ranks;
    for (size_t i = 0; i < context.inputCount(); ++i) ranks.push_back(context.input(i).rank());
    int64_t ellipsis = 0;
    const auto operands = operandLabels(attributes, ranks, ellipsis);
    std::map<Label, int64_t> sizes;
    std::vector<Label> order = labelsOf(attributes.result, ellipsis);
    const size_t outputRank = order.size();
    for (size_t i = 0; i < operands.size(); ++i) {
        for (size_t axis = 0; axis < operands[i].size(); ++axis) {
            const Label label = operands[i][axis];
            const int64_t size = context.input(i).dims()[axis];
            const auto [found, isNew] = sizes.emplace(label, size);
            if (found->second == 1) found->second = size;
            if (size != 1 && size != found->second) {
                fail("input ", i, ": axis ", axis, " has ", size, " elements, another input's has ",
                     found->second, " under the same name");
            }
            const bool isListed = std::find(order.begin(), order.end(), label) != order.end();
            if (isNew && !isListed) order.push_back(label);
        }
    }
    Space space;
    for (const Label label : order) space.dims.push_back(sizes.at(label));
    space.outputDims.assign(space.dims.begin(), space.dims.begin() + static_cast<ptrdiff_t>(outputRank));
    for (size_t i = 0; i < operands.size(); ++i) {
        const Dims own = rowMajorStrides(context.input(i).dims());
        Dims strides(order.size(), 0);
        for (size_t axis = 0; axis < own.size(); ++axis) {
            const auto at = std::find(order.begin(), order.end(), operands[i][axis]) - order.begin();
            if (context.input(i).dims()[axis] != 1) strides[static_cast<size_t>(at)] += own[axis];
        }
        space.strides.push_back(std::move(strides));
    }
    return space;
}

/// Where the elements lie that go into one result, relative to the first.
std::vector<int64_t> summedOffsets(const Space& space, const Dims& strides) {
    std::vector<int64_t> offsets{0};
    for (size_t axis = space.outputDims.size(); axis < space.dims.size(); ++axis) {
        std::vector<int64_t> longer;
        longer.reserve(offsets.size() * static_cast<size_t>(space.dims[axis]));
        for (const int64_t offset : offsets) {
            for (int64_t i = 0; i < space.dims[axis]; ++i) longer.push_back(offset + i * strides[axis]);
        }
        offsets = std::move(longer);
    }
    return offsets;
}

/// The places of an operand that go into one result after the other.
template <class Sum>
struct Operand {
    const Sum* values = nullptr;
    std::vector<int64_t> offsets = {};
};

template <class Sum>
Sum sumOfProducts(const std::vector<Operand<Sum>>& operands, const std::vector<int64_t>& starts) {
    Sum sum{};
    const size_t count = operands[0].offsets.size();
    if (operands.size() == 2) {
        const Sum* left = operands[0].values + starts[0];
        const Sum* right = operands[1].values + starts[1];
        for (size_t k = 0; k < count; ++k) {
            sum += left[operands[0].offsets[k]] * right[operands[1].offsets[k]];
        }
        return sum;
    }
    for (size_t k = 0; k < count; ++k) {
        Sum product = 1;
        for (size_t i = 0; i < operands.size(); ++i) {
            product *= operands[i].values[starts[i] + operands[i].offsets[k]];
        }
        sum += product;
    }
    return sum;
}

template <class T>
void sumProducts(KernelContext& context) {
    using Sum = SumType<T>;
    const Space space = spaceOf(context);
    const auto output = context.output(0, space.outputDims).mutableValues<T>();
    std::deque<Widened<T>> inputs;
    std::vector<Operand<Sum>> operands;
    for (size_t i = 0; i < context.inputCount(); ++i) {
        inputs.emplace_back(context.input(i), "an input");
        operands.push_back({inputs.back().data(), summedOffsets(space, space.strides[i])});
    }
    const size_t rank = space.outputDims.size();
    Dims index(rank, 0);
    std::vector<int64_t> starts(operands.size(), 0);
    Pace pace(context);
    for (T& value : output) {
        value = static_cast<T>(sumOfProducts(operands, starts));
        pace.spend(static_cast<int64_t>(operands[0].offsets.size() * operands.size()) + 4);
        for (size_t axis = rank; axis-- > 0;) {
            const bool isOver = ++index[axis] == space.outputDims[axis];
            const int64_t steps = isOver ? 1 - space.outputDims[axis] : 1;
            for (size_t i = 0; i < starts.size(); ++i) starts[i] += steps * space.strides[i][axis];
            if (!isOver) break;
            index[axis] = 0;
        }
    }
}

void reference(KernelContext& context) {
    if (context.inputCount() == 0) fail("found no input, expected at least one");
    dispatchNumeric(context.input(0).type(),
                    [&]<typename T>(std::type_identity<T>) { sumProducts<T>(context); });
}

const OpDef einsum{
    .name = "Einsum",
    .sinceVersion = 12,
    .attributes = parsed<readEinsum>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{einsum};

}  // namespace
}  // namespace engine
