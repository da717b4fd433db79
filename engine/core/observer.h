#pragma once

#include <string_view>

namespace engine {

/// Thrown by Observer::checkpoint when the caller has lost interest. No error.
struct Cancelled {};

/// How long work talks to whoever started it. Called from the working thread.
class Observer {
public:
    virtual ~Observer() = default;
    virtual bool cancelled() const { return false; }
    virtual void progress(double /*fraction*/, std::string_view /*what*/) {}

    /// Reports progress; throws Cancelled if the caller has lost interest.
    void checkpoint(double fraction, std::string_view what) {
        checkpoint();
        progress(fraction, what);
    }

    /// Throws Cancelled if the caller has lost interest; cheap enough for inner loops.
    void checkpoint() const {
        if (cancelled()) throw Cancelled{};
    }
};

}  // namespace engine
