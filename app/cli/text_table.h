#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace cli {

enum class Align : unsigned char { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
};

/// Rows under titles, in columns as wide as they need. Widths count characters of UTF-8 text, one cell each.
class TextTable {
public:
    explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    /// Adds a row for each item of a model's, made by `rowOf`: of the first thousand, which text() says
    /// below.
    template <class Items, class RowOf>
    void addEach(const Items& items, RowOf rowOf) {
        const size_t shown = std::min(items.size(), mostItems);
        for (size_t i = 0; i < shown; ++i) add(rowOf(items[i]));
        more_ += items.size() - shown;
    }
    bool isEmpty() const { return rows_.empty(); }
    /// The lines, each indented. A column in which nothing stands is left out.
    std::string text(const std::string& indent = "  ") const;

private:
    static constexpr size_t mostItems = 1000;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
    size_t more_ = 0;
};

/// A bar of up to `cells` characters, in eighths.
std::string shareBar(double share, int cells = 10);

/// Cut in its middle if longer than `most` characters; control characters become `?`.
std::string shortened(const std::string& text, size_t most = 56);

/// A message as it is printed: control characters become `?`, and if a name in it has no end, it is cut in
/// its middle.
std::string messageText(const std::string& message);

/// How many characters UTF-8 text has.
size_t characters(const std::string& text);

}  // namespace cli
