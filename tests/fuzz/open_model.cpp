// Bytes as a model file: opening, inference, what `info` prints, passes, placement, and compiling for made-up
// inputs. Nothing runs.

#include "engine/model.h"
#include "engine/onnx/text.h"
#include "engine/session.h"
#include "tests/fuzz/fuzz.h"

namespace {

constexpr double patienceSeconds = 3;
const engine::Limits limits = {.memoryBytes = size_t{512} << 20};

void plan(const std::shared_ptr<const engine::Model>& model, engine::Observer& observer) {
    engine::SessionOptions options;
    options.threads = 1;
    options.measureCandidates = false;
    const auto session = engine::Session::create(model, options, observer);
    const auto inputs = engine::completeInputs(*model, {}, {.memoryBytes = limits.memoryBytes}, observer);
    session->prepare(inputs, limits, observer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::MemoryFile file({data, size});
    fuzz::Deadline observer(patienceSeconds);
    fuzz::expectOnlyErrors([&] {
        const auto model = engine::Model::open(file.path(), observer);
        fuzz::expectOnlyErrors([&] { engine::summarize(*model, {}); });
        fuzz::expectOnlyErrors([&] { engine::onnx::printModel(*model); });
        plan(model, observer);
    });
    return 0;
}
