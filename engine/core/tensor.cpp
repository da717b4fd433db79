#include "engine/core/tensor.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/core/memory.h"

namespace engine {

/// What is allocated under a MemoryLimit. Outlives the limit while tensors counted in it live.
struct MemoryLimit::Account {
    size_t limit;
    const char* name;
    std::atomic<size_t> used{0};
    std::shared_ptr<Account> outer;

    /// Counts the bytes here and in all around; if one of them has not so many left, counts nothing and gives
    /// it.
    const Account* take(size_t bytes) {
        const bool fits = used.fetch_add(bytes) + bytes <= limit;
        const Account* exceeded = !fits ? this : outer ? outer->take(bytes) : nullptr;
        if (exceeded != nullptr) used.fetch_sub(bytes);
        return exceeded;
    }
    void give(size_t bytes) {
        used.fetch_sub(bytes);
        if (outer) outer->give(bytes);
    }
};

namespace {

thread_local std::shared_ptr<MemoryLimit::Account> currentAccount;

constexpr size_t alignment = 64;
// What is larger is only asked for if the machine has it: the system would give it all the same, and end the
// process when it is used.
constexpr size_t largestUnasked = size_t{64} << 20;

std::shared_ptr<void> allocateBytes(size_t bytes, DataType type, const Dims& dims) {
    const std::shared_ptr<MemoryLimit::Account> account = currentAccount;
    if (const MemoryLimit::Account* exceeded = account ? account->take(bytes) : nullptr) {
        fail("a tensor ", type, listText(dims), " needs ", bytes, " bytes, more than the memory limit of ",
             exceeded->limit, " bytes leaves (", exceeded->name, ")");
    }
    const bool isThere = bytes <= largestUnasked || bytes <= availableMemory();
    void* data = isThere
                     ? ::operator new (std::max<size_t>(bytes, 1), std::align_val_t{alignment}, std::nothrow)
                     : nullptr;
    if (data == nullptr) {
        if (account) account->give(bytes);
        fail("a tensor ", type, listText(dims), " needs ", bytes, " bytes, which cannot be had");
    }
    return {data, [account, bytes](void* pointer) {
                ::operator delete (pointer, std::align_val_t{alignment});
                if (account) account->give(bytes);
            }};
}

}  // namespace

size_t memoryLeft() {
    size_t left = SIZE_MAX;
    for (const MemoryLimit::Account* account = currentAccount.get(); account != nullptr;
         account = account->outer.get()) {
        const size_t used = account->used.load();
        left = std::min(left, account->limit > used ? account->limit - used : 0);
    }
    return left == SIZE_MAX ? availableMemory() : left;
}

MemoryLimit::MemoryLimit(size_t bytes, const char* name)
    : account_(std::make_shared<Account>()), outer_(currentAccount) {
    account_->limit = bytes;
    account_->name = name;
    account_->outer = outer_;
    currentAccount = account_;
}

MemoryLimit::~MemoryLimit() { currentAccount = outer_; }

int64_t elementCount(const Dims& dims) {
    int64_t count = 1;
    bool overflows = false;
    for (const int64_t dim : dims) {
        if (dim < 0) fail("a tensor cannot have the dims ", listText(dims), ": ", dim, " is negative");
        if (dim == 0) return 0;
        overflows = overflows || __builtin_mul_overflow(count, dim, &count);
    }
    if (overflows) fail("a tensor cannot have the dims ", listText(dims), ": the element count overflows");
    return count;
}

Tensor Tensor::allocate(DataType type, Dims dims) {
    if (type == DataType::undefined) fail("a tensor needs an element type");
    Tensor tensor;
    tensor.elements_ = elementCount(dims);
    size_t bytes = 0;
    if (__builtin_mul_overflow(static_cast<size_t>(tensor.elements_), bytesInMemory(type), &bytes) ||
        bytes > static_cast<size_t>(INT64_MAX)) {
        fail("a tensor ", type, listText(dims), " is larger than memory can be");
    }
    if (type == DataType::string) {
        allocateBytes(bytes, type, dims);
        auto strings = std::make_shared<std::vector<std::string>>(static_cast<size_t>(tensor.elements_));
        tensor.owner_ = std::shared_ptr<void>(strings, strings->data());
    } else {
        tensor.owner_ = allocateBytes(bytes, type, dims);
    }
    tensor.data_ = tensor.owner_.get();
    tensor.type_ = type;
    tensor.dims_ = std::move(dims);
    return tensor;
}

Tensor Tensor::view(DataType type, Dims dims, const void* data, std::shared_ptr<const void> owner) {
    Tensor tensor;
    tensor.elements_ = elementCount(dims);
    tensor.type_ = type;
    tensor.dims_ = std::move(dims);
    tensor.data_ = const_cast<void*>(data);
    tensor.owner_ = std::const_pointer_cast<void>(std::move(owner));
    return tensor;
}

Tensor Tensor::reshaped(Dims dims) const {
    Tensor tensor = *this;
    tensor.elements_ = elementCount(dims);
    if (tensor.elements_ != elements_) {
        fail("a tensor of dims ", listText(dims_), " cannot be seen as ", listText(dims), ": ", elements_,
             " elements against ", tensor.elements_);
    }
    tensor.dims_ = std::move(dims);
    return tensor;
}

std::vector<int64_t> Tensor::toInt64() const {
    std::vector<int64_t> result(static_cast<size_t>(elements_));
    dispatchAmong<int64_t, int32_t, uint8_t, int8_t, uint16_t, int16_t, uint32_t, uint64_t, bool, Int4, UInt4,
                  Int2, UInt2>(type_, [&]<typename T>(std::type_identity<T>) {
        const std::span<const T> from = values<T>();
        std::transform(from.begin(), from.end(), result.begin(),
                       [](T value) { return static_cast<int64_t>(value); });
    });
    return result;
}

std::vector<double> Tensor::toDouble() const {
    std::vector<double> result(static_cast<size_t>(elements_));
    dispatchReal(type_, [&]<typename T>(std::type_identity<T>) {
        const std::span<const T> from = values<T>();
        std::transform(from.begin(), from.end(), result.begin(), [](T value) {
            if constexpr (std::is_arithmetic_v<T>) {
                return static_cast<double>(value);
            } else if constexpr (requires { value.value; }) {
                return static_cast<double>(static_cast<int>(value));
            } else {
                return static_cast<double>(static_cast<float>(value));
            }
        });
    });
    return result;
}

}  // namespace engine
