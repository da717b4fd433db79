#pragma once

#include <string>

#include <QString>

#include "views/theme.h"

namespace views {

/// Fit to stand in rich text; of very long texts the beginning and how long they are.
QString escaped(const QString& text);
QString escaped(const std::string& text);

/// The same for names, which may break after their separators.
QString breakable(const std::string& name);

/// ONNX's Markdown as rich text.
QString fromMarkdown(const std::string& markdown);

/// The parts that the properties are made of, as rich text in the window's colours. What goes into them is
/// rich text, too.
class RichText {
public:
    explicit RichText(const Colours& colours) : colours_(colours) {}

    const Colours& colours() const { return colours_; }

    QString muted(const QString& text) const;
    QString heading(const QString& text, const QString& more = {}) const;
    QString section(const QString& title) const;
    QString link(const QString& target, const QString& text, const QString& tip = {}) const;
    QString chip(const std::string& provider) const;

    static QString table(const QString& rows);
    QString row(const QString& name, const QString& value) const;
    QString countRow(const std::string& name, size_t count) const;

    /// A row of each item; of many items those of the first, and how many more there are.
    template <class Items, class ToRow>
    QString rows(const Items& items, const ToRow& toRow) const {
        QString text;
        size_t shown = 0;
        for (const auto& item : items) {
            if (shown == mostRows) return text + more(items.size() - shown);
            text += toRow(item);
            ++shown;
        }
        return text;
    }

private:
    static constexpr size_t mostRows = 100;  ///< nobody reads on, and laying out more takes long

    QString more(size_t count) const;

    const Colours& colours_;
};

}  // namespace views
