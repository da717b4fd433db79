#pragma once

#include <map>

#include "views/graph/layout/geometry.h"

namespace layout {

/// The space between two rows. Lines that go far across it get tracks, one above the other, so that lines of
/// different values do not run on top of each other; near ones swing over as they like.
class Gap {
public:
    /// Announces that a line of a value goes from one x to another.
    void add(int value, double from, double to);

    /// Gives tracks to all that was announced.
    void assign();

    /// How high the gap must be if it is `least` high without lines.
    double height(double least) const;

    /// Leads a path from where it is to an x at the lower side.
    void cross(Path& path, int value, double x, double upper, double lower) const;

private:
    struct Run {
        double from = 0;
        double low = 0;
        double high = 0;
        int track = 0;

        bool goesRight() const { return high - from > from - low; }
        bool overlaps(const Run& other) const;
    };

    std::map<int, Run> runs_;  ///< By value.
    int tracks_ = 0;
};

}  // namespace layout
