#include "engine/io/datum_files.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/name_list.h"
#include "engine/io/npy.h"
#include "engine/io/npz.h"
#include "engine/onnx/tensor_io.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

Tensor readFromArchive(const fs::path& file, const std::string& name) {
    const std::vector<std::string> names = npzNames(file);
    for (const std::string& candidate : {name, fileStem(name)}) {
        if (std::find(names.begin(), names.end(), candidate) != names.end()) return readNpz(file, candidate);
    }
    if (names.size() == 1) return readNpz(file, names[0]);
    fail(file.string(), ": has no array '", name, "'; it has: ", listNames(names));
}

const Type& withoutOptional(const Type& type) {
    return type.kind == Type::Kind::optional && type.inner != nullptr ? *type.inner : type;
}

fs::path itemPath(const fs::path& folder, const std::string& name, size_t index) {
    return folder / text(fileStem(name), '_', index, ".npy");
}

std::optional<FoundDatum> findSequence(const fs::path& folder, const std::string& name, const Type& type) {
    if (!fs::exists(itemPath(folder, name, 0))) return std::nullopt;
    Sequence sequence{.element = type.inner != nullptr ? *type.inner : Type{}, .items = {}};
    for (size_t i = 0; fs::exists(itemPath(folder, name, i)); ++i) {
        sequence.items.emplace_back(readDatum(itemPath(folder, name, i), name, sequence.element));
    }
    return FoundDatum{Datum(std::move(sequence)), itemPath(folder, name, 0)};
}

fs::path writePart(const fs::path& folder, const std::string& stem, const Tensor& tensor) {
    fs::path path = folder / (stem + ".npy");
    writeNpy(path, tensor);
    return path;
}

}  // namespace

std::string fileStem(const std::string& name) {
    std::string stem = name;
    for (char& letter : stem) {
        if (letter == '/' || letter == '\\' || letter == ':') letter = '_';
    }
    return stem;
}

Datum readDatum(const fs::path& file, const std::string& name, const Type& declared) {
    const Type& type = withoutOptional(declared);
    const std::string extension = file.extension().string();
    if (extension == ".npy") return restoredFromNpy(readNpy(file), type.element);
    if (extension == ".npz") return restoredFromNpy(readFromArchive(file, name), type.element);
    if (extension == ".pb") return onnx::readDatum(file, declared).datum;
    fail(file.string(), ": unknown kind of file, expected .npy, .npz or .pb");
}

std::optional<FoundDatum> findDatum(const fs::path& folder, const std::string& name, const std::string& alias,
                                    const Type& declared) {
    if (!fs::is_directory(folder)) fail(folder.string(), ": no such folder");
    const Type& type = withoutOptional(declared);
    if (type.kind == Type::Kind::sequence) {
        if (std::optional<FoundDatum> found = findSequence(folder, name, type)) return found;
    }
    for (const fs::path& path : {folder / (fileStem(name) + ".npy"), folder / (alias + ".pb")}) {
        if (fs::exists(path)) return FoundDatum{readDatum(path, name, declared), path};
    }
    return std::nullopt;
}

std::vector<fs::path> writeDatum(const fs::path& folder, const std::string& name, const Datum& datum) {
    const std::string stem = fileStem(name);
    std::vector<fs::path> files;
    if (datum.isTensor()) {
        files.push_back(writePart(folder, stem, datum.tensor()));
    } else if (datum.isMap()) {
        files.push_back(writePart(folder, stem + "_keys", datum.map().keys));
        files.push_back(writePart(folder, stem + "_values", datum.map().values));
    } else if (datum.isSparse()) {
        files.push_back(writePart(folder, stem + "_indices", datum.sparse().indices));
        files.push_back(writePart(folder, stem + "_values", datum.sparse().values));
    } else if (datum.isSequence()) {
        const std::vector<Datum>& items = datum.sequence().items;
        for (size_t i = 0; i < items.size(); ++i) {
            const std::vector<fs::path> written = writeDatum(folder, text(name, '_', i), items[i]);
            files.insert(files.end(), written.begin(), written.end());
        }
    }
    return files;
}

}  // namespace engine
