#include "engine/providers/provider.h"

#include <map>
#include <mutex>
#include <string_view>

#include "engine/core/error.h"

namespace engine {

template <>
Registry<ProviderEntry>& Registry<ProviderEntry>::instance() {
    static Registry registry;
    return registry;
}

bool ProviderEntry::operator<(const ProviderEntry& other) const {
    return std::string_view(name) < other.name;
}

namespace {

std::optional<Dims> staticDims(const Type& type) {
    if (!type.isTensor() || !type.shape) return std::nullopt;
    return numbers(*type.shape);
}

const Type unknownType;

}  // namespace

const Type& NodeView::inputType(size_t index) const {
    return hasInput(index) ? graph_.types[node().inputs[index].index] : unknownType;
}

const Type& NodeView::outputType(size_t index) const {
    return hasOutput(index) ? graph_.types[node().outputs[index].index] : unknownType;
}

std::optional<Dims> NodeView::inputDims(size_t index) const {
    if (!hasInput(index)) return std::nullopt;
    return staticDims(inputType(index));
}

std::optional<int64_t> NodeView::inputRank(size_t index) const {
    if (!hasInput(index) || !inputType(index).shape) return std::nullopt;
    return static_cast<int64_t>(inputType(index).shape->size());
}

const Tensor* NodeView::constant(size_t index) const {
    if (!hasInput(index)) return nullptr;
    const Known& known = graph_.known[node().inputs[index].index];
    return known.data ? &*known.data : nullptr;
}

std::optional<Dims> NodeView::outputDims(size_t index) const {
    if (!hasOutput(index)) return std::nullopt;
    return staticDims(outputType(index));
}

void StepContext::setOutput(size_t index, Datum datum) const {
    if (!hasOutput(index)) return;
    const SlotId slot = source_.step->outputs[index];
    source_.frame->pointers[slot.index] = datum.isTensor() ? datum.tensor().mutableData() : nullptr;
    source_.frame->slots[slot.index] = std::move(datum);
}

std::vector<std::string> providerNames() {
    std::vector<std::string> names;
    for (const ProviderEntry* entry : Registry<ProviderEntry>::instance().entries())
        names.emplace_back(entry->name);
    return names;
}

const Provider& provider(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<Provider>> made;
    const std::lock_guard lock(mutex);
    if (const auto found = made.find(name); found != made.end()) return *found->second;
    for (const ProviderEntry* entry : Registry<ProviderEntry>::instance().entries()) {
        if (name == entry->name) return *(made[name] = entry->make());
    }
    fail("there is no provider '", name, "'; there are: ", join(providerNames(), ", "));
}

}  // namespace engine
