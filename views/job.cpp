#include "views/job.h"

namespace views {

namespace {

/// Runs one job after the other.
class OneThread : public QThreadPool {
public:
    OneThread() { setMaxThreadCount(1); }
};

}  // namespace

QThreadPool* promptPool() {
    static OneThread pool;
    return &pool;
}

QThreadPool* measurementPool() {
    static OneThread pool;
    return &pool;
}

}  // namespace views
