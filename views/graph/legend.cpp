#include "views/graph/legend.h"

#include <map>

#include <QEvent>
#include <QPainter>

#include "views/format.h"
#include "views/graph/canvas.h"

namespace views {

namespace {

constexpr int rowHeight = 20;
constexpr int padding = 9;
constexpr int chip = 15;
constexpr int distance = 12;
constexpr int rampWidth = 150;
constexpr int rampHeight = 12;

}  // namespace

Legend::Legend(Canvas* canvas) : QWidget(canvas->viewport()), canvas_(canvas) {
    setAccessibleName(tr("Legend"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    canvas->viewport()->installEventFilter(this);
}

void Legend::refresh() {
    const SceneLook& look = canvas_->look();
    colourBy_ = look.colourBy;
    rows_.clear();
    title_.clear();
    highest_.clear();
    if (canvas_->scene()) rows_ = rows(*canvas_->scene()->scene);
    if (colourBy_ == ColourBy::heat && !look.overlay) {
        rows_ = {{.text = tr("not measured yet: Ctrl+R"), .letter = {}, .isRemoved = true}};
    } else if (colourBy_ == ColourBy::heat) {
        title_ = look.overlay->name;
        highest_ = numberText(look.overlay->largest, look.overlay->unit);
    }
    setAccessibleDescription(texts().join('\n'));
    arrange();
    update();
}

QStringList Legend::texts() const {
    if (!title_.isEmpty()) return {QString("%1 0 … %2").arg(title_, highest_)};
    QStringList lines;
    for (const Row& row : rows_) lines << row.text;
    return lines;
}

std::vector<Legend::Row> Legend::rows(const Scene& scene) const {
    const SceneLook& look = canvas_->look();
    std::vector<Row> result;
    if (look.colourBy == ColourBy::family) {
        std::map<Family, int> counts;
        for (const SceneNode& node : scene.nodes) {
            if (node.kind == SceneNode::Kind::operation) ++counts[node.family];
        }
        for (const auto& [family, count] : counts) {
            result.push_back({.text = QString("%1  %2").arg(nameOf(family)).arg(count), .family = family});
        }
        return result;
    }
    if (!look.placement || look.colourBy == ColourBy::heat) return result;
    std::map<std::string, int> counts;
    int removed = 0;
    for (const SceneNode& node : scene.nodes) {
        if (node.kind != SceneNode::Kind::operation) continue;
        if (look.placement->isRemoved(node.origin)) {
            ++removed;
        } else {
            ++counts[look.placement->provider(node.origin)];
        }
    }
    bool hasCopies = false;
    for (const SceneEdge& edge : scene.edges) {
        const auto& from = scene.nodes[static_cast<size_t>(edge.from)];
        const auto& to = scene.nodes[static_cast<size_t>(edge.to)];
        if (from.kind != SceneNode::Kind::operation || to.kind != SceneNode::Kind::operation) continue;
        if (look.placement->isRemoved(from.origin) || look.placement->isRemoved(to.origin)) continue;
        hasCopies |= look.placement->provider(from.origin) != look.placement->provider(to.origin);
    }
    for (const auto& [provider, count] : counts) {
        const QString name = provider.empty() ? tr("nobody runs it") : qstring(provider);
        result.push_back({.text = QString("%1  %2").arg(name).arg(count),
                          .letter = letterOf(provider),
                          .provider = provider});
    }
    if (hasCopies) result.push_back({.text = tr("between providers"), .letter = {}, .isCopy = true});
    if (removed > 0)
        result.push_back({.text = tr("folded away  %1").arg(removed), .letter = {}, .isRemoved = true});
    return result;
}

QSize Legend::sizeHint() const {
    if (!title_.isEmpty()) return {rampWidth + 2 * padding, rowHeight + rampHeight + 2 * padding};
    int width = 0;
    for (const Row& row : rows_) width = std::max(width, fontMetrics().horizontalAdvance(row.text));
    return {width + chip + 8 + 2 * padding, static_cast<int>(rows_.size()) * rowHeight + 2 * padding - 4};
}

void Legend::arrange() {
    const QSize size = sizeHint();
    setVisible(!rows_.empty() || !title_.isEmpty());
    setGeometry(QRect(QPoint(distance, canvas_->viewport()->height() - size.height() - distance), size));
}

void Legend::paintEvent(QPaintEvent*) {
    const Colours& colours = coloursOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = colours.surface;
    ground.setAlphaF(0.92F);
    painter.setPen(colours.border);
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (!title_.isEmpty()) return paintRamp(painter, colours);
    QRectF place(padding, padding - 2, width() - 2 * padding, rowHeight);
    for (const Row& row : rows_) {
        paintRow(painter, row, place, colours);
        place.translate(0, rowHeight);
    }
}

void Legend::paintRow(QPainter& painter, const Row& row, const QRectF& place, const Colours& colours) const {
    const QRectF box(place.left(), place.center().y() - chip / 2.0, chip, chip);
    painter.setPen(Qt::NoPen);
    if (row.isCopy) {
        painter.fillRect(QRectF(box.left(), box.center().y() - 3, chip, 2), colours.copy);
        painter.fillRect(QRectF(box.left(), box.center().y() + 1, chip, 2), colours.copy);
    } else if (row.isRemoved) {
        QPen pen(colours.faint, 1);
        pen.setDashPattern({3, 3});
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 1.5, -0.5, -1.5), 2, 2);
    } else {
        const QColor colour =
            colourBy_ == ColourBy::family ? colours.family(row.family) : colours.provider(row.provider);
        painter.setBrush(colour);
        painter.drawRoundedRect(box, 3, 3);
        QFont font = painter.font();
        font.setPixelSize(10);
        font.setBold(true);
        painter.setFont(font);
        painter.setPen(Colours::textOn(colour));
        painter.drawText(box, Qt::AlignCenter, row.letter);
        painter.setFont(this->font());
    }
    painter.setPen(colours.text);
    painter.drawText(place.adjusted(chip + 8, 0, 0, 0), Qt::AlignVCenter, row.text);
}

void Legend::paintRamp(QPainter& painter, const Colours& colours) const {
    painter.setPen(colours.text);
    const QRectF top(padding, padding - 3, rampWidth, rowHeight);
    painter.drawText(top, Qt::AlignVCenter | Qt::AlignLeft, title_ + "  0");
    painter.drawText(top, Qt::AlignVCenter | Qt::AlignRight, highest_);
    for (int x = 0; x < rampWidth; ++x) {
        painter.fillRect(QRectF(padding + x, padding + rowHeight, 1.5, rampHeight),
                         colours.heat(x / (rampWidth - 1.0)));
    }
}

bool Legend::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize) arrange();
    return false;
}

}  // namespace views
