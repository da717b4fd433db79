#include "views/document.h"

#include <chrono>

#include <QFileInfo>

#include "engine/core/text.h"
#include "engine/io/datum_files.h"
#include "views/format.h"
#include "views/usual_sizes.h"

namespace views {

namespace {

constexpr std::chrono::milliseconds newsInterval{40};

std::filesystem::path filePath(const QString& path) { return path.toStdU16String(); }

/// The values of files for the inputs that have one.
std::vector<engine::NamedDatum> readInputs(const engine::Model& model,
                                           const std::map<std::string, QString>& files) {
    std::vector<engine::NamedDatum> inputs;
    for (const engine::ValueId id : model.graph->inputs) {
        const engine::Value& value = model.graph->value(id);
        const auto file = files.find(value.name);
        if (file == files.end()) continue;
        inputs.push_back({value.name, engine::readDatum(filePath(file->second), value.name, value.type)});
    }
    return inputs;
}

/// What a report says of the inputs.
std::vector<engine::ReportInput> told(const std::vector<engine::NamedDatum>& inputs,
                                      const RunSettings& settings) {
    std::vector<engine::ReportInput> result;
    for (const engine::NamedDatum& input : inputs) {
        const auto file = settings.inputFiles.find(input.name);
        result.push_back({.name = input.name,
                          .type = engine::typeText(input.datum.type()),
                          .source = file == settings.inputFiles.end()
                                        ? engine::text("made up, seed ", settings.seed)
                                        : file->second.toStdString()});
    }
    return result;
}

/// Runs a profile; latencies are handed on in batches, so that a fast model does not flood the receiver.
ProfileNews measure(engine::Session& session, const RunSettings& settings, const engine::Bindings& sizes,
                    engine::Observer& observer, const Emit<ProfileNews>& emitNews) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> batch;
    auto sent = Clock::now();
    const auto onLatency = [&](double latencyNs) {
        batch.push_back(latencyNs);
        if (Clock::now() - sent < newsInterval) return;
        emitNews({.latenciesNs = std::exchange(batch, {})});
        sent = Clock::now();
    };
    const auto data =
        engine::completeInputs(session.model(), readInputs(session.model(), settings.inputFiles),
                               {.bindings = sizes,
                                .shapes = settings.shapes,
                                .seed = settings.seed,
                                .memoryBytes = settings.limits.memoryBytes},
                               observer);
    auto result = std::make_shared<const engine::ProfileResult>(engine::profile(
        session, data, {.seconds = settings.seconds, .limits = settings.limits}, observer, onLatency));
    return {.latenciesNs = std::move(batch), .result = std::move(result), .inputs = told(data, settings)};
}

}  // namespace

std::vector<std::string> usualProviders() {
    std::vector<std::string> usual;
    for (const char* wanted : {"cpu", "reference"}) {
        for (const engine::ProviderInfo& info : engine::availableProviders()) {
            if (info.name == wanted && info.whyUnavailable.empty()) usual.push_back(info.name);
        }
    }
    return usual;
}

Document::Document(QString path, QObject* parent) : QObject(parent), path_(std::move(path)) {
    settings_.providers = usualProviders();
}

Document::Document(std::shared_ptr<const engine::Model> model, QObject* parent) : QObject(parent) {
    settings_.providers = usualProviders();
    path_ = QString::fromStdU16String(model->path.u16string());
    setModel(std::move(model));
}

Document::~Document() = default;

QString Document::title() const { return QFileInfo(path_).completeBaseName(); }

bool Document::isBusy() const {
    for (const Activity& activity : activities_) {
        if (activity.isRunning) return true;
    }
    return false;
}

template <class T>
void Document::follow(Task task, LatestJob<T>& job, QFuture<T> future, const QString& what,
                      std::function<void(const T&)> done, std::function<void(const T&)> each) {
    begin(task, what);
    typename LatestJob<T>::Handlers handlers;
    // The result is published before the end is: who waits for the end finds it.
    handlers.done = [this, task, done = std::move(done)](const T& result) {
        done(result);
        end(task, std::nullopt);
    };
    handlers.failed = [this, task](const engine::Error& error) { end(task, qstring(error.what())); };
    handlers.cancelled = [this, task] { end(task, std::nullopt); };
    handlers.each = std::move(each);
    handlers.progress = [this, task](double fraction, const QString& text) {
        Activity& activity = activities_[static_cast<size_t>(task)];
        activity.fraction = fraction;
        activity.what = text;
        Q_EMIT activityChanged(task);
    };
    job.start(std::move(future), std::move(handlers));
}

void Document::begin(Task task, const QString& what) {
    Activity& activity = activities_[static_cast<size_t>(task)];
    activity = {.isRunning = true, .fraction = 0, .what = what};
    activity.since.start();
    Q_EMIT activityChanged(task);
}

void Document::end(Task task, std::optional<QString> failure) {
    Activity& activity = activities_[static_cast<size_t>(task)];
    activity.isRunning = false;
    constexpr qsizetype longestFailure = 4000;
    if (failure) failure = clipped(*failure, longestFailure);
    activity.failure = std::move(failure);
    // A report waits for a profile only as long as that may still come.
    if (task == Task::profile) pendingReport_.clear();
    Q_EMIT activityChanged(task);
    if (activity.failure) Q_EMIT failed(task, *activity.failure);
}

engine::Bindings Document::sizes() const {
    engine::Bindings sizes = settings_.bindings;
    for (const auto& [symbol, size] : usualSizes_) sizes.emplace(symbol, size);
    return sizes;
}

void Document::open() {
    auto work = [path = filePath(path_)](engine::Observer& observer) {
        return engine::Model::open(path, observer);
    };
    follow<std::shared_ptr<const engine::Model>>(
        Task::open, openJob_, startJob(std::move(work)), "Opening " + QFileInfo(path_).fileName(),
        [this](const std::shared_ptr<const engine::Model>& model) { setModel(model); });
}

void Document::setModel(std::shared_ptr<const engine::Model> model) {
    cancel(Task::profile);
    cancel(Task::sweep);
    selection_.clear();
    model_ = std::move(model);
    usualSizes_ = usualSizes(*model_);
    types_ = model_->typed;
    summary_.reset();
    session_.reset();
    placement_.reset();
    profile_.reset();
    profiledSession_.reset();
    profiledInputs_.clear();
    time_.reset();
    work_.reset();
    parameters_.reset();
    latenciesNs_.clear();
    sweepCells_.clear();
    Q_EMIT opened();
    startTypes();
    startPlan();
}

void Document::setSettings(const RunSettings& settings) {
    if (settings == settings_) return;
    const bool needsPlan = settings.providers != settings_.providers ||
                           settings.threads != settings_.threads || settings.seed != settings_.seed;
    const bool needsTypes = settings.bindings != settings_.bindings;
    settings_ = settings;
    Q_EMIT settingsChanged();
    if (!model_) return;
    if (needsTypes) startTypes();
    if (needsPlan) startPlan();
}

void Document::startTypes() {
    auto work = [model = model_, bindings = settings_.bindings, sizes = sizes()](engine::Observer& observer) {
        Types types;
        types.graph = bindings.empty() ? model->typed : model->bound(bindings);
        observer.checkpoint(0.3, "figures");
        types.work = workOverlay(*model, sizes.empty() ? *types.graph : *model->bound(sizes));
        types.parameters = parameterOverlay(*model, *types.graph);
        observer.checkpoint(0.7, "figures");
        types.summary = std::make_shared<const engine::ModelSummary>(engine::summarize(*model, sizes));
        return types;
    };
    follow<Types>(Task::types, typesJob_, startJob(std::move(work)), "Inferring shapes",
                  [this](const Types& types) {
                      types_ = types.graph;
                      work_ = types.work;
                      parameters_ = types.parameters;
                      summary_ = types.summary;
                      Q_EMIT typesChanged();
                  });
}

void Document::startPlan() {
    engine::SessionOptions options;
    options.providers = settings_.providers;
    options.threads = settings_.threads;
    options.seed = settings_.seed;
    auto work = [model = model_, options](engine::Observer& observer) {
        return engine::Session::create(model, options, observer);
    };
    follow<std::shared_ptr<engine::Session>>(Task::plan, planJob_, startJob(std::move(work)),
                                             "Placing nodes on providers",
                                             [this](const std::shared_ptr<engine::Session>& session) {
                                                 session_ = session;
                                                 placement_ = std::make_shared<const PlacementMap>(session);
                                                 Q_EMIT placementChanged();
                                             });
}

void Document::startProfile() {
    if (!session_) return;
    auto work = [session = session_, settings = settings_, sizes = sizes()](
                    engine::Observer& observer, const Emit<ProfileNews>& emitNews) {
        return measure(*session, settings, sizes, observer, emitNews);
    };
    latenciesNs_.clear();
    Q_EMIT latenciesArrived();
    follow<ProfileNews>(
        Task::profile, profileJob_, startStream<ProfileNews>(std::move(work), measurementPool()), "Measuring",
        [this, session = session_](const ProfileNews& news) {
            profile_ = news.result;
            profiledSession_ = session;
            profiledInputs_ = news.inputs;
            latenciesNs_ = profile_->latenciesNs;
            time_ = timeOverlay(*model_, *profile_);
            Q_EMIT latenciesArrived();
            Q_EMIT profileChanged();
            if (!pendingReport_.isEmpty()) writeReport(std::exchange(pendingReport_, {}));
        },
        [this](const ProfileNews& news) {
            latenciesNs_.insert(latenciesNs_.end(), news.latenciesNs.begin(), news.latenciesNs.end());
            Q_EMIT latenciesArrived();
        });
}

void Document::startSweep(const engine::SweepOptions& options) {
    if (!model_) return;
    auto work = [model = model_, options](engine::Observer& observer, const Emit<SweepNews>& emitNews) {
        const auto onCell = [&](size_t index, const engine::SweepCell& cell) {
            emitNews({.index = index, .cell = cell});
        };
        auto cells = engine::sweep(model, options, observer, onCell);
        return SweepNews{.all = std::make_shared<const std::vector<engine::SweepCell>>(std::move(cells))};
    };
    sweepCells_.clear();
    Q_EMIT sweepChanged();
    follow<SweepNews>(
        Task::sweep, sweepJob_, startStream<SweepNews>(std::move(work), measurementPool()), "Comparing",
        [this](const SweepNews& news) {
            sweepCells_ = *news.all;
            Q_EMIT sweepChanged();
        },
        [this](const SweepNews& news) {
            if (news.all) return;
            if (sweepCells_.size() <= news.index) sweepCells_.resize(news.index + 1);
            sweepCells_[news.index] = news.cell;
            Q_EMIT sweepChanged();
        });
}

void Document::saveReport(const QString& path) {
    if (profile_) return writeReport(path);
    pendingReport_ = path;
    if (!activity(Task::profile).isRunning) startProfile();
}

void Document::writeReport(const QString& path) {
    const engine::ReportOptions options{.inputs = profiledInputs_};
    auto work = [session = profiledSession_, profile = profile_, options, path](engine::Observer&) {
        engine::saveReport(filePath(path), *session, *profile, options);
        return path;
    };
    follow<QString>(Task::report, reportJob_, startJob(std::move(work)), "Writing the report",
                    [this](const QString& written) { Q_EMIT reportSaved(written); });
}

void Document::cancel(Task task) {
    switch (task) {
        case Task::open:
            return openJob_.cancel();
        case Task::types:
            return typesJob_.cancel();
        case Task::plan:
            return planJob_.cancel();
        case Task::profile:
            return profileJob_.cancel();
        case Task::sweep:
            return sweepJob_.cancel();
        case Task::report:
            return reportJob_.cancel();
    }
}

}  // namespace views
