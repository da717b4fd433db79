#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include <QFutureWatcher>
#include <QPromise>
#include <QString>
#include <QThreadPool>
#include <QtConcurrent/QtConcurrentRun>

#include "engine/core/error.h"
#include "engine/core/observer.h"

namespace views {

/// Progress of a job counts from 0 to this.
inline constexpr int jobProgressMaximum = 1000;

/// The engine's observer over a Qt promise. Lives on the working thread.
template <class T>
class JobObserver final : public engine::Observer {
public:
    explicit JobObserver(QPromise<T>& promise) : promise_(promise) {
        promise_.setProgressRange(0, jobProgressMaximum);
    }

    bool cancelled() const override { return promise_.isCanceled(); }
    void progress(double fraction, std::string_view what) override {
        const auto value = static_cast<int>(fraction * (jobProgressMaximum - 1)) + 1;
        promise_.setProgressValueAndText(value,
                                         QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size())));
    }

private:
    QPromise<T>& promise_;
};

/// Hands out an intermediate result of a job. Called from the working thread.
template <class T>
using Emit = std::function<void(T)>;

/// Runs `work(observer, emit)` on the pool. What it emits and last what it returns are the future's results;
/// Cancelled cancels the future, every other exception arrives as engine::Error. The work captures values and
/// `shared_ptr<const …>`, never `this`, never a widget.
template <class T, class Work>
QFuture<T> startStream(Work work, QThreadPool* pool = QThreadPool::globalInstance()) {
    return QtConcurrent::run(pool, [work = std::move(work)](QPromise<T>& promise) {
        JobObserver<T> observer(promise);
        const auto failWith = [&](const char* what) {
            promise.setException(std::make_exception_ptr(engine::Error(what)));
        };
        try {
            promise.addResult(
                work(observer, Emit<T>([&](T result) { promise.addResult(std::move(result)); })));
        } catch (const engine::Cancelled&) {
            promise.future().cancel();
        } catch (const engine::Error&) {
            promise.setException(std::current_exception());
        } catch (const std::bad_alloc&) {
            failWith("there is not enough memory for this");
        } catch (const std::exception& error) {
            failWith(error.what());
        } catch (...) {
            failWith("an error of unknown kind");
        }
    });
}

/// The same for work that has one result: `work(observer)`.
template <class Work>
auto startJob(Work work, QThreadPool* pool = QThreadPool::globalInstance()) {
    using T = std::invoke_result_t<Work, engine::Observer&>;
    return startStream<T>(
        [work = std::move(work)](engine::Observer& observer, const Emit<T>&) { return work(observer); },
        pool);
}

/// One kind of work of which only the latest start counts: a new one cancels the one before, whose results
/// are dropped. Owner and handlers live on one thread; destroying it cancels. (QFuture::then with a context
/// is not used, because in Qt 6.4 it must not outlive its context.)
template <class T>
class LatestJob {
public:
    struct Handlers {
        std::function<void(const T&)> done = {};
        std::function<void(const engine::Error&)> failed = {};
        std::function<void()> cancelled = {};
        std::function<void(const T&)> each = {};  ///< every result, the last one too
        std::function<void(double fraction, const QString& what)> progress = {};
    };

    LatestJob() = default;
    ~LatestJob() { drop(); }
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    /// `future` from startJob or startStream.
    void start(QFuture<T> future, Handlers handlers) {
        drop();
        watcher_ = new QFutureWatcher<T>;
        connectHandlers(std::move(handlers));
        watcher_->setFuture(std::move(future));
    }

    /// The handler `cancelled` is called once the work has noticed.
    void cancel() {
        if (watcher_ != nullptr) watcher_->cancel();
    }

    /// Cancels; no handler is called any more.
    void drop() {
        if (watcher_ == nullptr) return;
        watcher_->disconnect();
        watcher_->cancel();
        watcher_->deleteLater();
        watcher_ = nullptr;
    }

    bool isRunning() const { return watcher_ != nullptr; }

private:
    void connectHandlers(Handlers handlers) {
        QFutureWatcher<T>* watcher = watcher_;
        if (handlers.each) {
            QObject::connect(watcher, &QFutureWatcherBase::resultReadyAt, watcher,
                             [watcher, each = handlers.each](int index) { each(watcher->resultAt(index)); });
        }
        if (handlers.progress) {
            const auto report = [watcher, progress = handlers.progress] {
                progress(watcher->progressValue() / static_cast<double>(jobProgressMaximum),
                         watcher->progressText());
            };
            QObject::connect(watcher, &QFutureWatcherBase::progressTextChanged, watcher, report);
            QObject::connect(watcher, &QFutureWatcherBase::progressValueChanged, watcher, report);
        }
        QObject::connect(watcher, &QFutureWatcherBase::finished, watcher,
                         [this, watcher, handlers = std::move(handlers)] { finish(watcher, handlers); });
    }

    void finish(QFutureWatcher<T>* watcher, const Handlers& handlers) {
        // A handler may start the next job, or destroy this object.
        const Handlers called = handlers;
        watcher_ = nullptr;
        watcher->deleteLater();
        QFuture<T> future = watcher->future();
        try {
            future.waitForFinished();
        } catch (const engine::Error& error) {
            if (called.failed) called.failed(error);
            return;
        }
        if (future.isCanceled() || future.resultCount() == 0) {
            if (called.cancelled) called.cancelled();
        } else if (called.done) {
            called.done(future.resultAt(future.resultCount() - 1));
        }
    }

    QFutureWatcher<T>* watcher_ = nullptr;
};

/// For short work that tells the user what is wrong: it does not wait for long work to end.
QThreadPool* promptPool();

/// The pool on which everything that is timed runs: one thread, so that two measurements never overlap.
QThreadPool* measurementPool();

}  // namespace views
