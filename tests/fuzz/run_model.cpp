// A tiny model in ONNX's text syntax, changed in its structure (not in its letters), and run on made-up
// inputs.

#include <algorithm>
#include <cstring>

#include "engine/model.h"
#include "engine/session.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate.h"

namespace {

constexpr double patienceSeconds = 3;
constexpr size_t memoryBytes = size_t{512} << 20;

void run(const std::shared_ptr<const engine::Model>& model, std::vector<std::string> providers,
         engine::Observer& observer) {
    engine::SessionOptions options;
    options.providers = std::move(providers);
    options.threads = 1;
    options.measureCandidates = false;
    const auto session = engine::Session::create(model, options, observer);
    const auto inputs = engine::completeInputs(*model, {}, {.memoryBytes = memoryBytes}, observer);
    session->run(inputs, {.limits = {.seconds = patienceSeconds, .memoryBytes = memoryBytes}}, observer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Deadline observer(patienceSeconds);
    fuzz::expectOnlyErrors([&] {
        const auto model = engine::Model::parse(std::string(reinterpret_cast<const char*>(data), size));
        fuzz::expectOnlyErrors([&] { run(model, {"reference"}, observer); });
        fuzz::expectOnlyErrors([&] { run(model, {"cpu", "reference"}, observer); });
    });
    return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t mostBytes, unsigned seed) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::string changed = fuzz::mutateModel(text, seed);
    if (changed.size() > mostBytes) return size;
    std::memcpy(data, changed.data(), changed.size());
    return changed.size();
}
