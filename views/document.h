#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include "engine/report/report.h"
#include "engine/session.h"
#include "views/job.h"
#include "views/overlay.h"
#include "views/placement_map.h"
#include "views/selection.h"

namespace views {

/// How the user wants the model to be run.
struct RunSettings {
    std::vector<std::string> providers = {"cpu", "reference"};
    int threads = 1;
    engine::Bindings bindings = {};
    std::map<std::string, engine::Dims> shapes = {};  ///< input name -> dims, wins over bindings
    std::map<std::string, QString> inputFiles = {};   ///< input name -> .npy, .npz or .pb; others are random
    uint64_t seed = 0;
    double seconds = 0;  ///< how long to measure; 0: until the median is sure
    engine::Limits limits = {};

    friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

/// Those that this machine has of cpu and reference, and so a document's first choice.
std::vector<std::string> usualProviders();

/// Long work of a document.
enum class Task : uint8_t { open, types, plan, profile, sweep, report };
inline constexpr size_t taskCount = 6;

/// How a task stands.
struct Activity {
    bool isRunning = false;
    double fraction = 0;
    QString what = {};
    QElapsedTimer since = {};
    std::optional<QString> failure = {};  ///< of the last try
};

/// What a profile sends while it goes on: latencies as they come, last the result.
struct ProfileNews {
    std::vector<double> latenciesNs = {};
    std::shared_ptr<const engine::ProfileResult> result = {};
    std::vector<engine::ReportInput> inputs = {};  ///< with the result: what was run on
};

/// What a sweep sends: one cell at a time (`index` into `cells` of the whole), last all.
struct SweepNews {
    size_t index = 0;
    engine::SweepCell cell = {};
    std::shared_ptr<const std::vector<engine::SweepCell>> all = {};
};

/// One open model and everything that is worked out about it. Owns the jobs; publishes immutable snapshots by
/// signals on the UI thread. Destroying it cancels what runs.
class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QString path, QObject* parent = nullptr);
    /// A document of a model that is there already; nothing to open.
    explicit Document(std::shared_ptr<const engine::Model> model, QObject* parent = nullptr);
    ~Document() override;

    const QString& path() const { return path_; }
    QString title() const;
    Selection* selection() { return &selection_; }
    const RunSettings& settings() const { return settings_; }
    /// The number for each symbol of the inputs with which the model is run: the bound one, else a usual one.
    engine::Bindings sizes() const;

    /// Each null until its task is done.
    const std::shared_ptr<const engine::Model>& model() const { return model_; }
    /// The main graph's types with the bound symbols replaced; before that with symbols.
    const std::shared_ptr<const engine::TypedGraph>& types() const { return types_; }
    /// Of the model at sizes().
    const std::shared_ptr<const engine::ModelSummary>& summary() const { return summary_; }
    const std::shared_ptr<engine::Session>& session() const { return session_; }
    const std::shared_ptr<const PlacementMap>& placement() const { return placement_; }
    const std::shared_ptr<const engine::ProfileResult>& profile() const { return profile_; }
    /// Latencies of the profile that runs, or that ran last.
    const std::vector<double>& latenciesNs() const { return latenciesNs_; }
    const std::vector<engine::SweepCell>& sweepCells() const { return sweepCells_; }

    const std::shared_ptr<const Overlay>& time() const { return time_; }
    const std::shared_ptr<const Overlay>& work() const { return work_; }
    const std::shared_ptr<const Overlay>& parameters() const { return parameters_; }

    const Activity& activity(Task task) const { return activities_[static_cast<size_t>(task)]; }
    bool isBusy() const;

    /// Opens the file (again), then works out types and placement.
    void open();
    /// Plans anew if providers or threads changed, works out types anew if bindings did.
    void setSettings(const RunSettings& settings);
    /// Measures with the settings; needs a session.
    void startProfile();
    /// Measures the cells one against the other.
    void startSweep(const engine::SweepOptions& options);
    /// Writes the report of the last profile; measures first if there is none. The form follows the file's
    /// ending.
    void saveReport(const QString& path);
    void cancel(Task task);

Q_SIGNALS:
    void opened();            ///< model() is there
    void typesChanged();      ///< types(), summary(), work(), parameters()
    void placementChanged();  ///< session(), placement()
    void settingsChanged();
    void latenciesArrived();  ///< latenciesNs() grew, or was emptied
    void profileChanged();    ///< profile(), time()
    void sweepChanged();      ///< sweepCells()
    void reportSaved(const QString& path);
    void activityChanged(views::Task task);
    void failed(views::Task task, const QString& message);

private:
    struct Types {
        std::shared_ptr<const engine::TypedGraph> graph;
        std::shared_ptr<const Overlay> work;
        std::shared_ptr<const Overlay> parameters;
        std::shared_ptr<const engine::ModelSummary> summary;
    };

    template <class T>
    void follow(Task task, LatestJob<T>& job, QFuture<T> future, const QString& what,
                std::function<void(const T&)> done, std::function<void(const T&)> each = {});
    void begin(Task task, const QString& what);
    void end(Task task, std::optional<QString> failure);
    void setModel(std::shared_ptr<const engine::Model> model);
    void startTypes();
    void startPlan();
    void writeReport(const QString& path);

    QString path_;
    Selection selection_;
    RunSettings settings_;
    engine::Bindings usualSizes_;
    std::array<Activity, taskCount> activities_;

    std::shared_ptr<const engine::Model> model_;
    std::shared_ptr<const engine::TypedGraph> types_;
    std::shared_ptr<const engine::ModelSummary> summary_;
    std::shared_ptr<engine::Session> session_;
    std::shared_ptr<const PlacementMap> placement_;
    std::shared_ptr<const engine::ProfileResult> profile_;
    std::shared_ptr<const Overlay> time_;
    std::shared_ptr<const Overlay> work_;
    std::shared_ptr<const Overlay> parameters_;
    std::vector<double> latenciesNs_;
    std::vector<engine::SweepCell> sweepCells_;

    LatestJob<std::shared_ptr<const engine::Model>> openJob_;
    LatestJob<Types> typesJob_;
    LatestJob<std::shared_ptr<engine::Session>> planJob_;
    LatestJob<ProfileNews> profileJob_;
    LatestJob<SweepNews> sweepJob_;
    LatestJob<QString> reportJob_;
    std::shared_ptr<engine::Session> profiledSession_;  ///< that profile() is of
    std::vector<engine::ReportInput> profiledInputs_;
    QString pendingReport_;  ///< to be written once there is a profile
};

}  // namespace views
