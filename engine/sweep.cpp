#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>

#include "engine/core/error.h"
#include "engine/session.h"

namespace engine {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<Bindings> allBindings(const std::map<std::string, std::vector<int64_t>>& dims) {
    std::vector<Bindings> all{{}};
    for (const auto& [symbol, numbers] : dims) {
        std::vector<Bindings> next;
        for (const Bindings& bindings : all) {
            for (const int64_t number : numbers) {
                next.push_back(bindings);
                next.back()[symbol] = number;
            }
        }
        all = std::move(next);
    }
    return all;
}

/// One cell while it is measured.
struct CellWork {
    std::shared_ptr<Session> session;
    std::vector<NamedDatum> inputs;
    std::vector<double> latenciesNs;
};

class Sweep {
public:
    Sweep(std::shared_ptr<const Model> model, const SweepOptions& options, Observer& observer,
          const std::function<void(size_t, const SweepCell&)>& onCell)
        : model_(std::move(model)), options_(options), observer_(observer), onCell_(onCell) {}

    std::vector<SweepCell> run() {
        prepareAll();
        std::mt19937_64 random(options_.seed);
        std::vector<size_t> order(cells_.size());
        std::iota(order.begin(), order.end(), size_t{0});
        for (int round = 0; round < rounds; ++round) {
            std::shuffle(order.begin(), order.end(), random);
            for (const size_t index : order) {
                observer_.checkpoint(static_cast<double>(round) / rounds, cellText(index));
                measure(index);
            }
        }
        return std::move(cells_);
    }

private:
    void prepareAll() {
        for (const auto& providers : options_.providers) {
            for (const Bindings& dims : allBindings(options_.dims)) {
                for (const int threads : options_.threads) {
                    cells_.push_back({.providers = providers, .dims = dims, .threads = threads});
                    work_.emplace_back();
                    prepare(cells_.size() - 1);
                }
            }
        }
    }

    /// Cells of the same providers and threads share a session: it keeps a plan for each shape.
    std::shared_ptr<Session> sessionFor(const SweepCell& cell) {
        auto& session = sessions_[{cell.providers, cell.threads}];
        if (!session) {
            session = Session::create(model_,
                                      {.providers = cell.providers,
                                       .threads = cell.threads,
                                       .passes = options_.passes,
                                       .seed = options_.seed},
                                      observer_);
        }
        return session;
    }

    void prepare(size_t index) {
        SweepCell& cell = cells_[index];
        observer_.checkpoint(0, cellText(index));
        try {
            work_[index].session = sessionFor(cell);
            work_[index].inputs = completeInputs(
                *model_, {}, {.bindings = cell.dims, .shapes = options_.shapes, .seed = options_.seed},
                observer_);
            runOnce(index);
            cell.memory = work_[index].session->memory();
        } catch (const Error& error) {
            cell.problem = error.what();
            if (onCell_) onCell_(index, cell);
        }
    }

    double runOnce(size_t index) {
        const CellWork& work = work_[index];
        return static_cast<double>(
            work.session->run(work.inputs, {.limits = options_.limits}, observer_).elapsedNs);
    }

    /// One turn of a cell: an unmeasured run that brings its data back into the caches, then runs for its
    /// share of time.
    void measure(size_t index) {
        SweepCell& cell = cells_[index];
        if (!cell.problem.empty()) return;
        try {
            runOnce(index);
            const auto start = Clock::now();
            do {
                work_[index].latenciesNs.push_back(runOnce(index));
            } while (std::chrono::duration<double>(Clock::now() - start).count() <
                     options_.secondsPerCell / rounds);
            cell.latencyNs = estimate(work_[index].latenciesNs);
        } catch (const Error& error) {
            cell.problem = error.what();
        }
        if (onCell_) onCell_(index, cell);
    }

    std::string cellText(size_t index) const {
        const SweepCell& cell = cells_[index];
        std::string result = join(cell.providers, ",");
        for (const auto& [symbol, number] : cell.dims) result += text(' ', symbol, '=', number);
        return result + text(" threads=", cell.threads);
    }

    static constexpr int rounds = 5;

    std::shared_ptr<const Model> model_;
    const SweepOptions& options_;
    Observer& observer_;
    const std::function<void(size_t, const SweepCell&)>& onCell_;
    std::vector<SweepCell> cells_;
    std::vector<CellWork> work_;
    std::map<std::pair<std::vector<std::string>, int>, std::shared_ptr<Session>> sessions_;
};

}  // namespace

std::vector<SweepCell> sweep(std::shared_ptr<const Model> model, const SweepOptions& options,
                             Observer& observer,
                             const std::function<void(size_t index, const SweepCell&)>& onCell) {
    return Sweep(std::move(model), options, observer, onCell).run();
}

}  // namespace engine
