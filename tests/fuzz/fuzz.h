#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/core/error.h"
#include "engine/core/observer.h"

namespace fuzz {

/// Loses interest after some seconds: long work that looks up in time is no finding, a hang is.
class Deadline final : public engine::Observer {
public:
    explicit Deadline(double seconds)
        : end_(std::chrono::steady_clock::now() +
               std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds))) {
    }
    bool cancelled() const override { return std::chrono::steady_clock::now() > end_; }

private:
    std::chrono::steady_clock::time_point end_;
};

/// A file in memory that has a path, for functions that take one; gone with the object.
class MemoryFile {
public:
    explicit MemoryFile(std::span<const uint8_t> bytes);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::filesystem::path path() const;

private:
    int descriptor_;
};

/// Calls `work`, which may throw what the engine's interfaces say they throw; anything else is a finding.
template <class Work>
void expectOnlyErrors(Work work) {
    try {
        work();
    } catch (const engine::Error&) {
    } catch (const engine::Cancelled&) {
    }
}

}  // namespace fuzz
