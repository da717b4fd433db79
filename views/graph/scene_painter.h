#pragma once

#include <QPainter>

#include "views/graph/laid_out_scene.h"
#include "views/graph/scene_look.h"

namespace views {

/// How much of a scene can be seen at a scale.
enum class Detail : uint8_t { far, middle, near };
Detail detailAt(double scale);

/// Paints a laid-out scene with what lies over it. Cheap to make; holds references only.
class ScenePainter {
public:
    ScenePainter(const LaidOutScene& scene, const SceneLook& look, const Colours& colours)
        : placed_(scene), scene_(*scene.scene), look_(look), colours_(colours) {}

    /// Paints what meets `area` (scene coordinates; the painter is transformed to them by `scale`).
    void paint(QPainter& painter, const QRectF& area, double scale) const;

    /// The colour that stands for a node from afar.
    QColor farColour(const SceneNode& node) const;
    QColor farColour(const SceneGroup& group) const;

private:
    void paintHulls(QPainter& painter, const QRectF& area) const;
    void paintGroups(QPainter& painter, const QRectF& area) const;
    void paintOpenGroup(QPainter& painter, const QRectF& rect) const;
    void paintGroupTitles(QPainter& painter, const QRectF& area) const;
    void paintClosedGroup(QPainter& painter, const SceneGroup& group, const QRectF& rect) const;
    void paintProviderBar(QPainter& painter, const SceneGroup& group, const QRectF& bar) const;
    void paintEdges(QPainter& painter, const std::vector<int>& edges) const;
    /// More edges than can be told apart.
    void paintHairlines(QPainter& painter, const std::vector<int>& edges) const;
    void paintLoudEdges(QPainter& painter) const;
    std::vector<size_t> loudEdges() const;
    void paintEdge(QPainter& painter, const SceneEdge& edge, const QPainterPath& path) const;
    void paintArrow(QPainter& painter, const QPainterPath& path, const QColor& colour) const;
    void paintLabels(QPainter& painter, const QRectF& area) const;
    void paintNodes(QPainter& painter, const QRectF& area) const;
    void paintTerminal(QPainter& painter, const SceneNode& node, const QRectF& rect) const;
    void paintOperation(QPainter& painter, const SceneNode& node, const QRectF& rect) const;
    void paintHeader(QPainter& painter, const SceneNode& node, const QRectF& rect, const QColor& fill) const;
    void paintLines(QPainter& painter, const SceneNode& node, const QRectF& rect) const;
    void paintBadges(QPainter& painter, const SceneNode& node, const QRectF& rect) const;
    void paintBar(QPainter& painter, const SceneNode& node, const QRectF& rect) const;
    void paintMiddleTitle(QPainter& painter, const QString& title, const QRectF& rect,
                          const QColor& text) const;
    void paintOutline(QPainter& painter, const QRectF& rect, const QColor& colour, double width) const;

    QString figureOf(const SceneNode& node) const;
    std::string providerOf(int node) const;
    int partitionOf(int node) const;
    bool isRemoved(const SceneNode& node) const;
    bool isSelected(const SceneNode& node) const;
    bool isCopy(const SceneEdge& edge) const;
    bool stepsBack(const SceneNode& node) const;
    QColor headerColour(const SceneNode& node) const;
    QColor soften(const QColor& colour) const;
    static constexpr size_t mostEdges = 1500;  ///< that are drawn with all that belongs to them

    /// So many pixels of the screen, in scene units.
    double pixels(double count) const { return count / scale_; }

    const LaidOutScene& placed_;
    const Scene& scene_;
    const SceneLook& look_;
    const Colours& colours_;
    mutable double scale_ = 1;
    mutable Detail detail_ = Detail::near;
};

}  // namespace views
