#include <atomic>
#include <mutex>

#include "engine/core/error.h"
#include "engine/core/tensor.h"

namespace engine {

struct Tensor::Deferred {
    std::function<Tensor()> make;
    std::mutex mutex;
    Tensor made;
    std::atomic<void*> data = nullptr;
};

Tensor Tensor::deferred(DataType type, Dims dims, std::function<Tensor()> make) {
    auto content = std::make_shared<Deferred>();
    content->make = std::move(make);
    Tensor tensor;
    tensor.elements_ = elementCount(dims);
    tensor.type_ = type;
    tensor.dims_ = std::move(dims);
    tensor.deferred_ = content.get();
    tensor.owner_ = std::move(content);
    return tensor;
}

void* Tensor::deferredData() const {
    if (void* data = deferred_->data.load(std::memory_order_acquire)) return data;
    const std::lock_guard lock(deferred_->mutex);
    if (void* data = deferred_->data.load(std::memory_order_relaxed)) return data;
    Tensor made = deferred_->make();
    if (made.type() != type_ || made.elements() != elements_) {
        fail("a deferred tensor ", type_, listText(dims_), " was made as ", made.type(),
             listText(made.dims()));
    }
    deferred_->made = std::move(made);
    deferred_->make = nullptr;
    void* data = deferred_->made.mutableData();
    deferred_->data.store(data, std::memory_order_release);
    return data;
}

}  // namespace engine
