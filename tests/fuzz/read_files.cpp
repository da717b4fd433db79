// Bytes as the other files that the programs read: tensors (.npy, .npz, .pb), models in text and traces. The
// first byte says which.

#include <sstream>
#include <string>

#include <unistd.h>

#include "engine/io/datum_files.h"
#include "engine/io/npy.h"
#include "engine/model.h"
#include "engine/profile/aggregate.h"
#include "engine/profile/trace_import.h"
#include "tests/fuzz/fuzz.h"

namespace {

using engine::DataType;
using engine::Type;

void readTensorFile(std::span<const uint8_t> bytes, const char* extension, const Type& declared) {
    const fuzz::MemoryFile file(bytes);
    const std::filesystem::path link =
        std::filesystem::temp_directory_path() / ("fuzz_" + std::to_string(getpid()) + extension);
    std::filesystem::remove(link);
    std::filesystem::create_symlink(file.path(), link);
    fuzz::expectOnlyErrors([&] { engine::readDatum(link, "x", declared); });
    std::filesystem::remove(link);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const std::span<const uint8_t> rest(data + 1, size - 1);
    const Type tensor = Type::tensor(DataType::float32);
    switch (data[0]) {
        case 'n':
            fuzz::expectOnlyErrors([&] { engine::parseNpy(std::as_bytes(rest)); });
            break;
        case 'z':
            readTensorFile(rest, ".npz", tensor);
            break;
        case 'p':
            readTensorFile(rest, ".pb", tensor);
            break;
        case 's':
            readTensorFile(rest, ".pb", Type::sequence(tensor));
            break;
        case 'o':
            readTensorFile(rest, ".pb", Type::optional(Type::sequence(tensor)));
            break;
        case 't':
            fuzz::expectOnlyErrors([&] {
                engine::Model::parse(std::string(reinterpret_cast<const char*>(rest.data()), rest.size()));
            });
            break;
        case 'j':
            fuzz::expectOnlyErrors([&] {
                std::istringstream stream(
                    std::string(reinterpret_cast<const char*>(rest.data()), rest.size()));
                fuzz::Deadline deadline(5);
                engine::TraceAggregate aggregate;
                for (const engine::Trace& run : engine::readTrace(stream, deadline).runs) aggregate.add(run);
                aggregate.steps();
                aggregate.types();
            });
            break;
        default:
            return -1;
    }
    return 0;
}
