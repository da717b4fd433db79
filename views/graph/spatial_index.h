#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include <QRectF>

namespace views {

/// Rectangles in a grid of cells: which of them meet a rectangle, without looking at all (but at those that
/// are far larger than others). Its size follows from how many there are, not from where they lie. Immutable
/// once built; null rectangles are never found.
class SpatialIndex {
public:
    SpatialIndex() = default;
    explicit SpatialIndex(const std::vector<QRectF>& rects, double cell = 400) : rects_(rects) {
        QRectF bounds;
        for (const QRectF& rect : rects) {
            if (!rect.isNull()) bounds = bounds.isNull() ? rect : bounds.united(rect);
        }
        if (bounds.isNull()) return;
        origin_ = bounds.topLeft();
        const double mostCells = 1024.0 + 4.0 * static_cast<double>(rects.size());
        cell_ = std::max({cell, std::sqrt(bounds.width() * bounds.height() / mostCells),
                          bounds.width() / mostCells, bounds.height() / mostCells});
        columns_ = static_cast<int>(bounds.width() / cell_) + 1;
        rows_ = static_cast<int>(bounds.height() / cell_) + 1;
        cells_.resize(static_cast<size_t>(columns_) * static_cast<size_t>(rows_));
        for (size_t index = 0; index < rects.size(); ++index) {
            if (rects[index].isNull()) continue;
            const double cellsMet = (rects[index].width() / cell_ + 1) * (rects[index].height() / cell_ + 1);
            if (cellsMet > mostCellsOfOne) {
                large_.push_back(static_cast<int>(index));
                continue;
            }
            visitCells(*this, rects[index],
                       [&](std::vector<int>& cellItems) { cellItems.push_back(static_cast<int>(index)); });
        }
    }

    /// Indices of the rectangles that meet `area`, ascending, each once.
    std::vector<int> query(const QRectF& area) const {
        std::vector<int> found;
        if (cells_.empty()) return found;
        std::copy_if(large_.begin(), large_.end(), std::back_inserter(found),
                     [&](int item) { return rects_[static_cast<size_t>(item)].intersects(area); });
        visitCells(*this, area, [&](const std::vector<int>& cellItems) {
            for (const int item : cellItems) {
                if (rects_[static_cast<size_t>(item)].intersects(area)) found.push_back(item);
            }
        });
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

private:
    template <class Self, class Visit>
    static void visitCells(Self& self, const QRectF& area, const Visit& visit) {
        const auto clampTo = [&](double position, int count) {
            return std::clamp(static_cast<int>(std::floor(position / self.cell_)), 0, count - 1);
        };
        const int left = clampTo(area.left() - self.origin_.x(), self.columns_);
        const int right = clampTo(area.right() - self.origin_.x(), self.columns_);
        const int top = clampTo(area.top() - self.origin_.y(), self.rows_);
        const int bottom = clampTo(area.bottom() - self.origin_.y(), self.rows_);
        for (int row = top; row <= bottom; ++row) {
            for (int column = left; column <= right; ++column) {
                visit(self.cells_[static_cast<size_t>(row) * static_cast<size_t>(self.columns_) +
                                  static_cast<size_t>(column)]);
            }
        }
    }

    static constexpr double mostCellsOfOne = 64;

    double cell_ = 400;
    QPointF origin_;
    int columns_ = 0;
    int rows_ = 0;
    std::vector<QRectF> rects_;
    std::vector<int> large_;
    std::vector<std::vector<int>> cells_;
};

}  // namespace views
