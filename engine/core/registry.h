#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <vector>

namespace engine {

/// The things of one kind that register themselves, at start-up or when a library is loaded, sorted by
/// `T::operator<` at first use, so that the order never depends on the linker. One table per T in the whole
/// process: the .cpp that owns T defines `instance`.
template <class T>
class Registry {
public:
    static Registry& instance();

    void add(const T& entry) {
        const std::lock_guard lock(mutex_);
        entries_.push_back(&entry);
        isSorted_ = false;
    }

    size_t size() {
        const std::lock_guard lock(mutex_);
        return entries_.size();
    }

    /// All entries, sorted. Thread-safe.
    std::vector<const T*> entries() {
        const std::lock_guard lock(mutex_);
        sort();
        return entries_;
    }

    /// The first entry that is equivalent to `wanted` by `T::operator<`, or null. Thread-safe.
    const T* find(const T& wanted) {
        const std::lock_guard lock(mutex_);
        sort();
        const auto found = std::lower_bound(entries_.begin(), entries_.end(), &wanted, precedes);
        return found == entries_.end() || wanted < **found ? nullptr : *found;
    }

private:
    static bool precedes(const T* a, const T* b) { return *a < *b; }
    void sort() {
        if (!isSorted_) std::stable_sort(entries_.begin(), entries_.end(), precedes);
        isSorted_ = true;
    }

    std::mutex mutex_;
    std::vector<const T*> entries_;
    bool isSorted_ = false;
};

/// `const Register<OpDef> registered{relu};` adds the entry before main. The entry must live as long as the
/// process.
template <class T>
struct Register {
    explicit Register(const T& entry) { Registry<T>::instance().add(entry); }
};

/// The same for every entry of a table.
template <class T>
struct RegisterAll {
    explicit RegisterAll(std::span<const T> table) {
        for (const T& entry : table) Registry<T>::instance().add(entry);
    }
};

}  // namespace engine
