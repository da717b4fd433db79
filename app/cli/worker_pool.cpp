#include "app/cli/worker_pool.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/error.h"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

bool writeAll(int descriptor, const void* data, size_t bytes) {
    const char* at = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t written = ::write(descriptor, at, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        bytes -= static_cast<size_t>(written);
    }
    return true;
}

bool readAll(int descriptor, void* data, size_t bytes) {
    char* at = static_cast<char*>(data);
    while (bytes > 0) {
        const ssize_t count = ::read(descriptor, at, bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        bytes -= static_cast<size_t>(count);
    }
    return true;
}

/// The other side of the pipes: an item's number in, length and answer out, until the pipe closes.
[[noreturn]] void serve(int requests, int answers, const std::function<std::string(size_t)>& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit noCore{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    size_t item = 0;
    while (readAll(requests, &item, sizeof item)) {
        std::string answer;
        try {
            answer = work(item);
        } catch (...) {
            ::_exit(1);
        }
        const size_t length = answer.size();
        if (!writeAll(answers, &length, sizeof length) || !writeAll(answers, answer.data(), length)) break;
    }
    ::_exit(0);
}

/// One forked process and the item it works on.
class Worker {
public:
    explicit Worker(const std::function<std::string(size_t)>& work) : work_(work) {}
    ~Worker() { stop(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void give(size_t item) {
        if (process_ <= 0) start();
        item_ = item;
        since_ = Clock::now();
        // A worker that has died shows when its answer is read.
        writeAll(requests_, &item, sizeof item);
    }

    std::optional<size_t> item() const { return item_; }
    int answers() const { return answers_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - since_).count(); }

    /// The outcome of the item, for which the pipe has something to read.
    ItemOutcome take() {
        ItemOutcome outcome;
        size_t length = 0;
        item_.reset();
        if (readAll(answers_, &length, sizeof length)) {
            outcome.answer.resize(length);
            if (readAll(answers_, outcome.answer.data(), length)) return outcome;
        }
        return {.problem = deathText(stop())};
    }

    /// Ends the process, and says how it ended.
    int stop() {
        if (process_ <= 0) return 0;
        ::close(requests_);
        ::close(answers_);
        int status = 0;
        // One that has crashed is gone already; one that hangs must be told.
        if (::waitpid(process_, &status, WNOHANG) == 0) {
            ::kill(process_, SIGKILL);
            while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
            }
        }
        process_ = 0;
        item_.reset();
        return status;
    }

private:
    void start() {
        int down[2];
        int up[2];
        if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) {
            engine::fail("pipes for a worker process: ", std::strerror(errno));
        }
        process_ = ::fork();
        if (process_ < 0) engine::fail("a worker process: ", std::strerror(errno));
        if (process_ == 0) {
            ::close(down[1]);
            ::close(up[0]);
            serve(down[0], up[1], work_);
        }
        ::close(down[0]);
        ::close(up[1]);
        requests_ = down[1];
        answers_ = up[0];
    }

    static std::string deathText(int status) {
        if (WIFSIGNALED(status)) return engine::text("crashed (", ::strsignal(WTERMSIG(status)), ")");
        return engine::text("its process ended with exit status ", WEXITSTATUS(status));
    }

    const std::function<std::string(size_t)>& work_;
    pid_t process_ = 0;
    int requests_ = -1;
    int answers_ = -1;
    std::optional<size_t> item_;
    Clock::time_point since_;
};

class Pool {
public:
    Pool(const PoolOptions& options, const std::function<std::string(size_t)>& work,
         const std::function<void(size_t, const ItemOutcome&)>& take)
        : options_(options), take_(take) {
        for (int i = 0; i < options.workers; ++i) workers_.push_back(std::make_unique<Worker>(work));
    }

    void run(engine::Observer& observer) {
        while (ended_ < options_.items) {
            observer.checkpoint(static_cast<double>(ended_) / static_cast<double>(options_.items),
                                engine::text(ended_, " of ", options_.items));
            for (auto& worker : workers_) {
                if (!worker->item() && next_ < options_.items) worker->give(next_++);
            }
            takeAnswers();
        }
    }

private:
    void takeAnswers() {
        std::vector<pollfd> waiting;
        std::vector<Worker*> busy;
        for (auto& worker : workers_) {
            if (!worker->item()) continue;
            busy.push_back(worker.get());
            waiting.push_back({.fd = worker->answers(), .events = POLLIN, .revents = 0});
        }
        constexpr int pollMilliseconds = 20;
        ::poll(waiting.data(), waiting.size(), pollMilliseconds);
        for (size_t i = 0; i < busy.size(); ++i) {
            const size_t item = *busy[i]->item();
            if (waiting[i].revents != 0) {
                finish(item, busy[i]->take());
            } else if (options_.secondsPerItem > 0 && busy[i]->seconds() > options_.secondsPerItem) {
                busy[i]->stop();
                finish(item, {.problem = engine::text("took longer than ", options_.secondsPerItem, " s")});
            }
        }
    }

    void finish(size_t item, const ItemOutcome& outcome) {
        ++ended_;
        take_(item, outcome);
    }

    const PoolOptions& options_;
    const std::function<void(size_t, const ItemOutcome&)>& take_;
    std::vector<std::unique_ptr<Worker>> workers_;
    size_t next_ = 0;
    size_t ended_ = 0;
};

}  // namespace

void runInWorkers(const PoolOptions& options, const std::function<std::string(size_t item)>& work,
                  const std::function<void(size_t item, const ItemOutcome&)>& take,
                  engine::Observer& observer) {
    struct sigaction ignore {};
    struct sigaction before {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before);
    try {
        Pool(options, work, take).run(observer);
    } catch (...) {
        ::sigaction(SIGPIPE, &before, nullptr);
        throw;
    }
    ::sigaction(SIGPIPE, &before, nullptr);
}

}  // namespace cli
