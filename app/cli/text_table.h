#pragma once

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
    bool isEmpty() const { return rows_.empty(); }
    /// The lines, each indented. A column in which nothing stands is left out.
    std::string text(const std::string& indent = "  ") const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// A bar of up to `cells` characters, in eighths.
std::string shareBar(double share, int cells = 10);

/// Cut in its middle if longer than `most` characters; control characters become `?`.
std::string shortened(const std::string& text, size_t most = 56);

/// A message as it is printed: control characters become `?`, and if a name in it has no end, it is cut in
/// its middle.
std::string messageText(const std::string& message);

/// The rows that a table of things from a model has at most.
inline constexpr size_t mostTableRows = 1000;

/// The line below a table that had room for all rows but those; empty if there are none.
std::string moreText(size_t more);

/// How many characters UTF-8 text has.
size_t characters(const std::string& text);

}  // namespace cli
