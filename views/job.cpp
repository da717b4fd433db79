#include "views/job.h"

namespace views {

QThreadPool* measurementPool() {
    static QThreadPool pool;
    pool.setMaxThreadCount(1);
    return &pool;
}

}  // namespace views
