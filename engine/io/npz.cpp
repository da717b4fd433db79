#include "engine/io/npz.h"

#include "engine/core/error.h"
#include "engine/io/file_bytes.h"
#include "engine/io/npy.h"
#include "engine/io/zip.h"

namespace engine {
namespace {

std::string arrayName(const ZipEntry& entry) {
    const std::string suffix = ".npy";
    return entry.name.ends_with(suffix) ? entry.name.substr(0, entry.name.size() - suffix.size())
                                        : entry.name;
}

}  // namespace

std::vector<std::string> npzNames(const std::filesystem::path& path) {
    try {
        const std::vector<std::byte> archive = readFile(path);
        std::vector<std::string> names;
        for (const ZipEntry& entry : zipEntries(archive)) names.push_back(arrayName(entry));
        return names;
    } catch (Error& error) {
        error.addContext(path.string());
        throw;
    }
}

Tensor readNpz(const std::filesystem::path& path, const std::string& name) {
    try {
        const std::vector<std::byte> archive = readFile(path);
        for (const ZipEntry& entry : zipEntries(archive)) {
            if (arrayName(entry) != name) continue;
            try {
                return parseNpy(unzip(archive, entry));
            } catch (Error& error) {
                error.addContext("array '" + name + "'");
                throw;
            }
        }
        fail("has no array '", name, "'");
    } catch (Error& error) {
        error.addContext(path.string());
        throw;
    }
}

}  // namespace engine
