#include "engine/run/bounded_observer.h"

#include "engine/core/error.h"

namespace engine {

BoundedObserver::BoundedObserver(Observer& inner, double seconds, const char* limit)
    : inner_(inner), seconds_(seconds), limit_(limit) {}

bool BoundedObserver::cancelled() const {
    if (seconds_ > 0) {
        const double taken = std::chrono::duration<double>(Clock::now() - start_).count();
        if (taken > seconds_)
            fail("it has taken ", taken, " s so far, the limit is ", seconds_, " s (", limit_, ")");
    }
    return inner_.cancelled();
}

}  // namespace engine
