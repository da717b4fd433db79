#pragma once

#include <map>

#include <QElapsedTimer>
#include <QLabel>
#include <QStackedLayout>
#include <QWidget>

#include "views/cards.h"
#include "views/document.h"
#include "views/graph/canvas.h"
#include "views/graph/export_picture.h"
#include "views/graph/legend.h"
#include "views/graph/minimap.h"
#include "views/graph/scene.h"
#include "views/graph/search_index.h"

class QHBoxLayout;

namespace views {

/// Which numbers lie on the nodes.
enum class Figures : uint8_t { time, work, parameters };

/// The graph workspace of one document: the canvas with breadcrumb, legend, minimap and search.
class GraphView : public QWidget {
    Q_OBJECT

public:
    explicit GraphView(Document* document, QWidget* parent = nullptr);

    Canvas* canvas() { return canvas_; }
    Legend* legend() { return legend_; }
    const GraphPath& path() const { return path_; }

    void setColourBy(ColourBy colourBy);
    void setFigures(Figures figures);
    ColourBy colourBy() const { return colourBy_; }

    /// Marks what matches, and goes to the first match after the current node.
    void find(const QString& query);
    void findNext();
    void findPrevious();
    size_t matchCount() const { return matches_.size(); }
    /// The current match among all, from 0.
    size_t matchIndex() const { return match_; }

    /// Shows a graph of the path, or one more inside.
    void enter(const GraphPlace& place);
    void leave();
    void toggleGroup(int group);
    void openAllGroups();
    void closeAllGroups();

    /// Nothing is being laid out any more.
    bool isSettled() const { return isSettled_; }

    /// The whole graph as it looks now.
    GraphPicture picture() const;
    /// Writes it as SVG or PNG by the file's ending; pictureSaved or pictureFailed says how that went.
    void savePicture(const QString& path);

Q_SIGNALS:
    void settled();
    void matchesChanged();
    void pathChanged();
    void pictureSaved(const QString& path);
    void pictureFailed(const QString& message);

private:
    struct Laid {
        std::shared_ptr<const LaidOutScene> scene;
    };
    /// Where the user was in a graph.
    struct Memory {
        SceneOptions options;
        double scale = 0;  ///< 0: nowhere yet
        QPointF centre;
    };

    void build();
    void connectCanvas();
    void showModel();
    void setPath(GraphPath path);
    void updateTypes();
    void layOutAgain();
    void showScene(const std::shared_ptr<const LaidOutScene>& scene);
    void showFailure(const QString& title, const QString& message);
    void rebuildBreadcrumb();
    void updateLook();
    void refreshOverlays();
    void followSelection();
    void openNode(int node);
    void step(Step step);
    void selectSceneNode(int node, bool isAdding);
    void goToMatch(size_t match);
    void settle();
    std::shared_ptr<const Overlay> figuresOverlay() const;
    int currentSceneNode() const;

    Document* document_;
    QWidget* breadcrumb_ = nullptr;
    QHBoxLayout* crumbs_ = nullptr;
    Canvas* canvas_ = nullptr;
    Minimap* minimap_ = nullptr;
    Legend* legend_ = nullptr;
    ErrorCard* error_ = nullptr;
    ProgressCard* progress_ = nullptr;
    QStackedLayout* stack_ = nullptr;

    GraphPath path_;
    std::map<const engine::Graph*, Memory> memories_;
    const engine::Graph* shownGraph_ = nullptr;
    ColourBy colourBy_ = ColourBy::provider;
    Figures figures_ = Figures::time;
    std::shared_ptr<const SearchIndex> search_;
    QString query_;
    std::vector<engine::OriginId> matches_;
    size_t match_ = 0;
    bool isSettled_ = false;
    int anchorGroup_ = -1;  ///< stays where it is when the next scene comes
    QString anchorPath_;
    QPointF anchorPoint_;

    LatestJob<Laid> layoutJob_;
    LatestJob<QString> pictureJob_;
    LatestJob<std::shared_ptr<const SearchIndex>> searchJob_;
};

}  // namespace views
