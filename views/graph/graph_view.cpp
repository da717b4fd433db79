#include "views/graph/graph_view.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/format.h"
#include "views/graph/layout_client.h"
#include "views/graph/walk.h"

namespace views {

GraphView::GraphView(Document* document, QWidget* parent) : QWidget(parent), document_(document) {
    build();
    connectCanvas();
    connect(document, &Document::opened, this, &GraphView::showModel);
    connect(document, &Document::typesChanged, this, &GraphView::updateTypes);
    connect(document, &Document::placementChanged, this, &GraphView::refreshOverlays);
    connect(document, &Document::profileChanged, this, &GraphView::refreshOverlays);
    connect(document->selection(), &Selection::changed, this, &GraphView::followSelection);
    if (document->model()) showModel();
}

void GraphView::build() {
    breadcrumb_ = new QWidget(this);
    crumbs_ = new QHBoxLayout(breadcrumb_);
    crumbs_->setContentsMargins(8, 3, 8, 3);
    crumbs_->setSpacing(2);
    breadcrumb_->setVisible(false);
    canvas_ = new Canvas(this);
    minimap_ = new Minimap(canvas_);
    legend_ = new Legend(canvas_);
    legend_->setVisible(false);
    error_ = new ErrorCard(this);
    progress_ = new ProgressCard(this);
    auto* holder = new QWidget(this);
    stack_ = new QStackedLayout(holder);
    stack_->addWidget(canvas_);
    stack_->addWidget(error_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(breadcrumb_);
    column->addWidget(holder, 1);
    column->addWidget(progress_);
    setFocusProxy(canvas_);
    connect(progress_, &ProgressCard::cancelled, this, [this] { layoutJob_.cancel(); });
    connect(error_, &ErrorCard::actionClicked, this, &GraphView::layOutAgain);
}

void GraphView::connectCanvas() {
    connect(canvas_, &Canvas::nodeClicked, this, &GraphView::selectSceneNode);
    connect(canvas_, &Canvas::nodeOpened, this, &GraphView::openNode);
    connect(canvas_, &Canvas::groupOpened, this, &GraphView::toggleGroup);
    connect(canvas_, &Canvas::groundClicked, this, [this] { document_->selection()->clear(); });
    connect(canvas_, &Canvas::stepped, this, &GraphView::step);
    connect(canvas_, &Canvas::edgeClicked, this, [this](int edge) {
        const Scene& scene = *canvas_->scene()->scene;
        document_->selection()->select(
            ValueRef{scene.place.graph.get(), scene.edges[static_cast<size_t>(edge)].value});
    });
    connect(canvas_, &Canvas::groupClicked, this, [this](int group) {
        const Scene& scene = *canvas_->scene()->scene;
        std::vector<engine::OriginId> inside;
        for (const int node : scene.groups[static_cast<size_t>(group)].nodes) {
            inside.push_back(scene.nodes[static_cast<size_t>(node)].origin);
        }
        document_->selection()->select(std::move(inside));
    });
    connect(canvas_, &Canvas::bandSelected, this, [this](const std::vector<int>& nodes) {
        std::vector<engine::OriginId> selected;
        for (const int node : nodes) {
            const engine::OriginId origin = canvas_->scene()->scene->nodes[static_cast<size_t>(node)].origin;
            if (origin.isValid()) selected.push_back(origin);
        }
        document_->selection()->select(std::move(selected));
    });
    connect(canvas_, &Canvas::enterPressed, this, [this] {
        const int node = currentSceneNode();
        if (node < 0) return;
        const int group = canvas_->scene()->scene->hiddenBy(node);
        if (group >= 0) {
            toggleGroup(group);
        } else {
            openNode(node);
        }
    });
}

void GraphView::showModel() {
    memories_.clear();
    shownGraph_ = nullptr;
    matches_.clear();
    auto indexing = [model = document_->model()](engine::Observer& observer) {
        return std::make_shared<const SearchIndex>(*model, observer);
    };
    searchJob_.start(startJob(std::move(indexing)),
                     {.done = [this](const std::shared_ptr<const SearchIndex>& index) {
                         search_ = index;
                         if (!query_.isEmpty()) find(std::exchange(query_, {}));
                     }});
    setPath(mainPath(*document_->model(), document_->types()));
}

void GraphView::setPath(GraphPath path) {
    path_ = std::move(path);
    rebuildBreadcrumb();
    Q_EMIT pathChanged();
    layOutAgain();
}

void GraphView::updateTypes() {
    if (path_.empty() || path_.front().types == document_->types()) return;
    // The same graphs, with other types.
    GraphPath path = mainPath(*document_->model(), document_->types());
    for (size_t depth = 1; depth < path_.size(); ++depth) {
        GraphPlace place = path_[depth];
        if (place.holder.isValid()) {
            const auto node = document_->model()->origins[place.holder.index].node;
            for (const GraphPlace& body : bodiesOf(*document_->model(), path.back(), node)) {
                if (body.graph == place.graph) place = body;
            }
        }
        path.push_back(place);
    }
    setPath(std::move(path));
}

void GraphView::layOutAgain() {
    if (path_.empty()) return;
    isSettled_ = false;
    const SceneOptions options = memories_[path_.back().graph.get()].options;
    auto work = [model = document_->model(), place = path_.back(), options,
                 helper = layoutHelperPath()](engine::Observer& observer) {
        auto scene = buildScene(*model, place, options, observer);
        observer.checkpoint(0.1, "Laying out the graph");
        return Laid{layOut(std::move(scene), helper, observer)};
    };
    progress_->begin(tr("Laying out the graph"));
    layoutJob_.start(
        startJob(std::move(work)),
        {.done = [this](const Laid& laid) { showScene(laid.scene); },
         .failed =
             [this](const engine::Error& error) {
                 showFailure(tr("The graph could not be laid out"), qstring(error.what()));
             },
         .cancelled =
             [this] {
                 progress_->end();
                 if (!canvas_->scene()) {
                     showFailure(tr("The layout was cancelled"), tr("The graph has no places yet."));
                 }
                 settle();
             },
         .progress = [this](double fraction, const QString& what) { progress_->report(fraction, what); }});
}

void GraphView::showScene(const std::shared_ptr<const LaidOutScene>& scene) {
    progress_->end();
    stack_->setCurrentWidget(canvas_);
    const engine::Graph* graph = path_.back().graph.get();
    if (shownGraph_ != nullptr && canvas_->scene()) {
        Memory& before = memories_[shownGraph_];
        before.scale = canvas_->scale();
        before.centre = canvas_->visibleArea().center();
    }
    const bool isOther = shownGraph_ != graph;
    shownGraph_ = graph;
    canvas_->setScene(scene);
    const Memory& memory = memories_[graph];
    if (isOther && memory.scale > 0) {
        canvas_->setScale(memory.scale, {0, 0});
        canvas_->centerOn(memory.centre);
    } else if (isOther) {
        canvas_->fitForReading();
    } else if (!anchorPath_.isEmpty()) {
        for (size_t index = 0; index < scene->scene->groups.size(); ++index) {
            const QRectF& rect = scene->groupRects[index];
            if (scene->scene->groups[index].path != anchorPath_ || rect.isNull()) continue;
            canvas_->moveTo({rect.center().x(), rect.top()}, anchorPoint_);
        }
    }
    anchorPath_.clear();
    refreshOverlays();
    if (!document_->selection()->isEmpty()) canvas_->reveal(scene->rectOf(document_->selection()->current()));
    settle();
}

void GraphView::settle() {
    isSettled_ = true;
    Q_EMIT settled();
}

void GraphView::showFailure(const QString& title, const QString& message) {
    progress_->end();
    error_->show(title, message, tr("The rest of the window works without the drawing."), tr("Try again"));
    stack_->setCurrentWidget(error_);
    settle();
}

void GraphView::rebuildBreadcrumb() {
    while (QLayoutItem* item = crumbs_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    breadcrumb_->setVisible(path_.size() > 1);
    for (size_t depth = 0; depth < path_.size(); ++depth) {
        if (depth > 0) crumbs_->addWidget(new QLabel("›", breadcrumb_));
        auto* crumb = new QToolButton(breadcrumb_);
        crumb->setText(path_[depth].title);
        crumb->setEnabled(depth + 1 < path_.size());
        connect(crumb, &QToolButton::clicked, this, [this, depth] {
            setPath(GraphPath(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(depth) + 1));
        });
        crumbs_->addWidget(crumb);
    }
    crumbs_->addStretch();
}

std::shared_ptr<const Overlay> GraphView::figuresOverlay() const {
    if (figures_ == Figures::work) return document_->work();
    if (figures_ == Figures::parameters) return document_->parameters();
    return document_->time();
}

void GraphView::updateLook() {
    SceneLook look;
    look.colourBy = colourBy_;
    look.placement = document_->placement();
    look.overlay = figuresOverlay();
    const Selection& selection = *document_->selection();
    look.selected.insert(selection.nodes().begin(), selection.nodes().end());
    look.current = selection.current();
    if (selection.value() && !path_.empty() && selection.value()->graph == path_.back().graph.get()) {
        look.value = selection.value()->value;
    }
    look.found.insert(matches_.begin(), matches_.end());
    look.isSearching = !query_.isEmpty();
    canvas_->setLook(std::move(look));
}

void GraphView::refreshOverlays() {
    updateLook();
    minimap_->refresh();
    legend_->refresh();
}

void GraphView::setColourBy(ColourBy colourBy) {
    colourBy_ = colourBy;
    refreshOverlays();
}

void GraphView::setFigures(Figures figures) {
    figures_ = figures;
    refreshOverlays();
}

void GraphView::followSelection() {
    updateLook();
    const Selection& selection = *document_->selection();
    if (!canvas_->scene() || path_.empty()) return;
    if (selection.value()) {
        const Scene& scene = *canvas_->scene()->scene;
        for (size_t index = 0; index < scene.nodes.size(); ++index) {
            if (scene.nodes[index].value == selection.value()->value &&
                selection.value()->graph == scene.place.graph.get()) {
                canvas_->reveal(canvas_->scene()->nodeRects[index]);
            }
        }
        return;
    }
    const engine::OriginId current = selection.current();
    if (!current.isValid()) return;
    if (document_->model()->origins[current.index].graph != path_.back().graph) {
        setPath(pathTo(*document_->model(), document_->types(), current));
    } else {
        canvas_->reveal(canvas_->scene()->rectOf(current));
    }
}

void GraphView::selectSceneNode(int index, bool isAdding) {
    const Scene& scene = *canvas_->scene()->scene;
    const SceneNode& node = scene.nodes[static_cast<size_t>(index)];
    if (node.kind != SceneNode::Kind::operation) {
        document_->selection()->select(ValueRef{scene.place.graph.get(), node.value});
    } else if (isAdding) {
        document_->selection()->toggle(node.origin);
    } else {
        document_->selection()->select(node.origin);
    }
}

void GraphView::openNode(int index) {
    const Scene& scene = *canvas_->scene()->scene;
    const SceneNode& node = scene.nodes[static_cast<size_t>(index)];
    if (!node.hasBody) return;
    const std::vector<GraphPlace> bodies = bodiesOf(*document_->model(), scene.place, node.node);
    if (bodies.size() == 1) return enter(bodies.front());
    QMenu menu(this);
    for (const GraphPlace& body : bodies) {
        menu.addAction(body.title, this, [this, body] { enter(body); });
    }
    menu.exec(QCursor::pos());
}

void GraphView::enter(const GraphPlace& place) {
    GraphPath path = path_;
    path.push_back(place);
    setPath(std::move(path));
}

void GraphView::leave() {
    if (path_.size() < 2) return;
    const engine::OriginId holder = path_.back().holder;
    GraphPath path = path_;
    path.pop_back();
    setPath(std::move(path));
    if (holder.isValid()) document_->selection()->select(holder);
}

void GraphView::toggleGroup(int group) {
    const LaidOutScene& scene = *canvas_->scene();
    const SceneGroup& toggled = scene.scene->groups[static_cast<size_t>(group)];
    const QRectF& rect = scene.groupRects[static_cast<size_t>(group)];
    anchorPath_ = toggled.path;
    anchorPoint_ = canvas_->toViewport({rect.center().x(), rect.top()});
    memories_[path_.back().graph.get()].options.isCollapsed[toggled.path] = !toggled.isCollapsed;
    layOutAgain();
}

void GraphView::openAllGroups() {
    if (!canvas_->scene()) return;
    auto& options = memories_[path_.back().graph.get()].options;
    for (const SceneGroup& group : canvas_->scene()->scene->groups) options.isCollapsed[group.path] = false;
    layOutAgain();
}

void GraphView::closeAllGroups() {
    if (!canvas_->scene()) return;
    auto& options = memories_[path_.back().graph.get()].options;
    for (const SceneGroup& group : canvas_->scene()->scene->groups) options.isCollapsed[group.path] = true;
    layOutAgain();
}

int GraphView::currentSceneNode() const {
    if (!canvas_->scene()) return -1;
    const Scene& scene = *canvas_->scene()->scene;
    const Selection& selection = *document_->selection();
    if (selection.current().isValid()) return scene.find(selection.current());
    if (!selection.value() || selection.value()->graph != scene.place.graph.get()) return -1;
    return nodeOfValue(scene, selection.value()->value);
}

void GraphView::step(Step step) {
    if (!canvas_->scene()) return;
    const int from = currentSceneNode();
    const int to = from < 0 ? firstNode(*canvas_->scene()) : walk(*canvas_->scene(), from, step);
    if (to >= 0) selectSceneNode(to, false);
}

void GraphView::find(const QString& query) {
    if (query == query_) return findNext();
    query_ = query;
    matches_ = search_ ? search_->find(query) : std::vector<engine::OriginId>();
    match_ = 0;
    const engine::OriginId current = document_->selection()->current();
    if (current.isValid()) {
        const auto after = std::lower_bound(matches_.begin(), matches_.end(), current);
        if (after != matches_.end()) match_ = static_cast<size_t>(after - matches_.begin());
    }
    updateLook();
    if (!matches_.empty()) goToMatch(match_);
    Q_EMIT matchesChanged();
}

void GraphView::findNext() {
    if (!matches_.empty()) goToMatch((match_ + 1) % matches_.size());
}

void GraphView::findPrevious() {
    if (!matches_.empty()) goToMatch((match_ + matches_.size() - 1) % matches_.size());
}

void GraphView::goToMatch(size_t match) {
    match_ = match;
    document_->selection()->select(matches_[match]);
    Q_EMIT matchesChanged();
}

GraphPicture GraphView::picture() const { return {canvas_->scene(), canvas_->look(), coloursOf(this)}; }

void GraphView::savePicture(const QString& path) {
    auto work = [picture = picture(), path](engine::Observer& observer) {
        writePicture(picture, path, observer);
        return path;
    };
    pictureJob_.start(
        startJob(std::move(work)),
        {.done = [this](const QString& written) { Q_EMIT pictureSaved(written); },
         .failed = [this](const engine::Error& error) { Q_EMIT pictureFailed(qstring(error.what())); }});
}

}  // namespace views
