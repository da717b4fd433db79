#include "engine/ops/custom_context.h"

#include <algorithm>

#include "engine/core/error.h"

using engine::fail;

int64_t OpscopeContext::number(const engine::Dim& dim) {
    if (dim.isUnknown()) return OPSCOPE_UNKNOWN_DIM;
    if (dim.isNumber() && dim.number() >= 0) return dim.number();
    const auto found = std::find(symbols.begin(), symbols.end(), dim);
    const auto index = found - symbols.begin();
    if (found == symbols.end()) symbols.push_back(dim);
    return -2 - static_cast<int64_t>(index);
}

engine::Dim OpscopeContext::dim(int64_t number) const {
    if (number >= 0) return number;
    if (number == OPSCOPE_UNKNOWN_DIM) return {};
    const auto index = static_cast<uint64_t>(-(number + 2));
    if (index >= symbols.size()) fail("the dim ", number, " stands for nothing in this call");
    return symbols[index];
}

namespace engine {
namespace {

/// Runs `function` for a library: what it throws must not pass through the library's frames. Gives
/// `otherwise` then.
template <class Result, class Function>
Result guarded(OpscopeContext* context, Result otherwise, const Function& function) {
    try {
        return function();
    } catch (const Cancelled&) {
        context->isCancelled = true;
    } catch (const std::exception& error) {
        if (context->failure.empty()) context->failure = error.what();
    }
    return otherwise;
}

template <class Function>
void guarded(OpscopeContext* context, const Function& function) {
    guarded(context, 0, [&] {
        function();
        return 1;
    });
}

template <class Context>
Context& require(Context* context, const char* call, const char* when) {
    if (context == nullptr) fail(call, " is only for ", when);
    return *context;
}

KernelContext& computing(OpscopeContext* context, const char* call) {
    return require(context->kernel, call, "computing");
}

InferContext& inferring(OpscopeContext* context, const char* call) {
    return require(context->infer, call, "inferring");
}

void setReason(OpscopeContext* context, const char* reason) {
    if (context->failure.empty() && reason != nullptr) context->failure = reason;
}

int isCancelled(OpscopeContext* context) {
    guarded(context, [&] {
        if (context->kernel != nullptr) context->kernel->checkpoint();
    });
    const bool isLimitReached = !context->failure.empty();
    return context->isCancelled || isLimitReached ? 1 : 0;
}

/// Hands out what the node's attribute holds, if it has it.
template <class T, class Give>
int attribute(OpscopeContext* context, const char* name, const Give& give) {
    return guarded(context, 0, [&] {
        const Attribute* found = context->attributes.node().attribute(name);
        const T* value = found == nullptr ? nullptr : std::get_if<T>(&found->value);
        if (value != nullptr) give(*value);
        return value != nullptr ? 1 : 0;
    });
}

int attributeInt(OpscopeContext* context, const char* name, int64_t* value) {
    return attribute<int64_t>(context, name, [&](int64_t found) { *value = found; });
}

int attributeFloat(OpscopeContext* context, const char* name, float* value) {
    return attribute<float>(context, name, [&](float found) { *value = found; });
}

int attributeString(OpscopeContext* context, const char* name, const char** text, size_t* bytes) {
    return attribute<std::string>(context, name, [&](const std::string& found) {
        *text = found.c_str();
        *bytes = found.size();
    });
}

int attributeInts(OpscopeContext* context, const char* name, const int64_t** values, size_t* count) {
    return attribute<std::vector<int64_t>>(context, name, [&](const std::vector<int64_t>& found) {
        *values = found.data();
        *count = found.size();
    });
}

int attributeFloats(OpscopeContext* context, const char* name, const float** values, size_t* count) {
    return attribute<std::vector<float>>(context, name, [&](const std::vector<float>& found) {
        *values = found.data();
        *count = found.size();
    });
}

OpscopeTensor seenAs(const Tensor& tensor) {
    return {.elementType = static_cast<int32_t>(tensor.type()),
            .rank = static_cast<int32_t>(tensor.rank()),
            .dims = tensor.dims().data(),
            .data = tensor.type() == DataType::string ? nullptr : tensor.data()};
}

int attributeTensor(OpscopeContext* context, const char* name, OpscopeTensor* tensor) {
    return attribute<Tensor>(context, name, [&](const Tensor& found) { *tensor = seenAs(found); });
}

size_t inputCount(OpscopeContext* context) { return context->attributes.node().inputs.size(); }
size_t outputCount(OpscopeContext* context) { return context->attributes.node().outputs.size(); }

OpscopeTensor seenAs(const Type& type, OpscopeContext& context) {
    OpscopeTensor tensor{
        .elementType = static_cast<int32_t>(type.element), .rank = -1, .dims = nullptr, .data = nullptr};
    if (!type.shape) return tensor;
    Dims& dims = context.dims.emplace_back();
    for (const Dim& dim : *type.shape) dims.push_back(context.number(dim));
    tensor.rank = static_cast<int32_t>(dims.size());
    tensor.dims = dims.data();
    return tensor;
}

int input(OpscopeContext* context, size_t index, OpscopeTensor* tensor) {
    return guarded(context, 0, [&] {
        if (context->kernel != nullptr) {
            if (!context->kernel->hasInput(index)) return 0;
            *tensor = seenAs(context->kernel->input(index));
        } else if (context->infer != nullptr) {
            if (!context->infer->hasInput(index)) return 0;
            *tensor = seenAs(context->infer->inputType(index), *context);
        } else {
            const WorkContext& work = require(context->work, "input", "inferring, work and computing");
            if (!work.hasInput(index)) return 0;
            *tensor = seenAs(work.inputType(index), *context);
        }
        return 1;
    });
}

const char* inputString(OpscopeContext* context, size_t index, int64_t element, size_t* bytes) {
    return guarded(context, static_cast<const char*>(nullptr), [&]() -> const char* {
        const Tensor& tensor = computing(context, "inputString").input(index);
        if (tensor.type() != DataType::string)
            fail("input ", index, " holds ", tensor.type(), ", not strings");
        if (element < 0 || element >= tensor.elements()) return nullptr;
        const String& found = tensor.values<String>()[static_cast<size_t>(element)];
        *bytes = found.size();
        return found.c_str();
    });
}

const void* knownData(OpscopeContext* context, size_t index) {
    return guarded(context, static_cast<const void*>(nullptr), [&]() -> const void* {
        const Tensor* known = inferring(context, "knownData").inputData(index);
        if (known == nullptr || known->type() == DataType::string) return nullptr;
        return context->tensors.emplace_back(*known).data();
    });
}

Dim calculated(char operation, const Dim& left, const Dim& right) {
    switch (operation) {
        case '+':
            return left + right;
        case '-':
            return left - right;
        case '*':
            return left * right;
        case '/':
            return floorDiv(left, right);
        case '%':
            return modulo(left, right);
        case '<':
            return minimum(left, right);
        case '>':
            return maximum(left, right);
        default:
            fail("there is no operation '", operation, "' on dims; there are: + - * / % < >");
    }
}

int64_t dim(OpscopeContext* context, char operation, int64_t left, int64_t right) {
    return guarded(context, int64_t{OPSCOPE_UNKNOWN_DIM}, [&] {
        return context->number(calculated(operation, context->dim(left), context->dim(right)));
    });
}

void setOutputType(OpscopeContext* context, size_t index, int32_t elementType, int32_t rank,
                   const int64_t* dims) {
    guarded(context, [&] {
        const auto element = static_cast<DataType>(elementType);
        if (elementType <= 0 || elementType > 63 || name(element) == "undefined") {
            fail("output ", index, ": there is no element type ", elementType);
        }
        InferContext& infer = inferring(context, "setOutputType");
        if (rank < 0) return infer.setOutput(index, element);
        Shape shape;
        for (int32_t axis = 0; axis < rank; ++axis) shape.push_back(context->dim(dims[axis]));
        infer.setOutput(index, element, std::move(shape));
    });
}

void setWork(OpscopeContext* context, int64_t multiplyAdds, int64_t otherFlops, int64_t specialFunctions) {
    guarded(context, [&] {
        require(context->work, "setWork", "work");
        context->result = {context->dim(multiplyAdds), context->dim(otherFlops),
                           context->dim(specialFunctions)};
    });
}

void* output(OpscopeContext* context, size_t index, int32_t rank, const int64_t* dims) {
    return guarded(context, static_cast<void*>(nullptr), [&]() -> void* {
        KernelContext& kernel = computing(context, "output");
        if (index >= outputCount(context)) {
            fail("there is no output ", index, "; the node has ", outputCount(context));
        }
        static int nothing = 0;
        Tensor& tensor = kernel.output(index, Dims(dims, dims + std::max(rank, 0)));
        context->outputs.resize(std::max(context->outputs.size(), index + 1));
        context->outputs[index] = &tensor;
        void* data = tensor.mutableData();
        return data == nullptr ? &nothing : data;  // empty tensors need no memory
    });
}

void setOutputString(OpscopeContext* context, size_t index, int64_t element, const char* text, size_t bytes) {
    guarded(context, [&] {
        Tensor* tensor = index < context->outputs.size() ? context->outputs[index] : nullptr;
        if (tensor == nullptr || tensor->type() != DataType::string) {
            fail("output ", index, " was not made a tensor of strings");
        }
        if (element < 0 || element >= tensor->elements()) {
            fail("output ", index, " has no element ", element, ", only ", tensor->elements());
        }
        tensor->mutableValues<String>()[static_cast<size_t>(element)].assign(text, bytes);
    });
}

void parallel(OpscopeContext* context, int64_t count, int64_t bytesPerItem,
              void (*body)(void* data, int64_t begin, int64_t end), void* data) {
    guarded(context, [&] {
        computing(context, "parallel");
        (*context->loop)(count, bytesPerItem, [&](int64_t begin, int64_t end) { body(data, begin, end); });
    });
}

uint64_t seed(OpscopeContext* context) {
    return guarded(context, uint64_t{0}, [&] { return computing(context, "seed").seed(); });
}

constexpr OpscopeApi api{
    .fail = setReason,
    .isCancelled = isCancelled,
    .attributeInt = attributeInt,
    .attributeFloat = attributeFloat,
    .attributeString = attributeString,
    .attributeInts = attributeInts,
    .attributeFloats = attributeFloats,
    .attributeTensor = attributeTensor,
    .inputCount = inputCount,
    .outputCount = outputCount,
    .input = input,
    .inputString = inputString,
    .knownData = knownData,
    .dim = dim,
    .setOutputType = setOutputType,
    .setWork = setWork,
    .output = output,
    .setOutputString = setOutputString,
    .parallel = parallel,
    .seed = seed,
};

}  // namespace

void callCustom(const std::function<int(const OpscopeApi*)>& function, OpscopeContext& context) {
    int status = 0;
    try {
        status = function(&api);
    } catch (const std::exception& error) {  // a library in C++ may
        setReason(&context, error.what());
        status = 1;
    } catch (...) {
        setReason(&context, "its library threw something");
        status = 1;
    }
    if (context.isCancelled) throw Cancelled{};
    if (!context.failure.empty()) fail(context.failure);
    if (status != 0) fail("its library says that it failed, with status ", status, " and no reason");
}

}  // namespace engine
