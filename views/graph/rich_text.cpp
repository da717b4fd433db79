#include "views/graph/rich_text.h"

#include <QRegularExpression>
#include <QTextDocument>

#include "views/format.h"

namespace views {

namespace {

constexpr qsizetype longestText = 10000;
constexpr qsizetype longestName = 1000;

QString cutShort(const QString& text, qsizetype longest) {
    if (text.size() <= longest) return text;
    return text.left(longest) + QString(" … (%1 characters)").arg(text.size());
}

}  // namespace

QString escaped(const QString& text) { return cutShort(text, longestText).toHtmlEscaped(); }

QString escaped(const std::string& text) { return escaped(qstring(text)); }

QString breakable(const std::string& name) {
    return cutShort(qstring(name), longestName)
        .toHtmlEscaped()
        .replace("/", "/&#8203;")
        .replace("_", "_&#8203;")
        .replace(".", ".&#8203;");
}

QString fromMarkdown(const std::string& markdown) {
    QTextDocument document;
    // Types are written as Tensor<T>, which is no HTML.
    QTextDocument::MarkdownFeatures features = QTextDocument::MarkdownDialectGitHub;
    features |= QTextDocument::MarkdownNoHTML;
    document.setMarkdown(qstring(markdown), features);
    const QString html = document.toHtml();
    static const QRegularExpression body("<body[^>]*>(.*)</body>",
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression sizes("font-size:[^;\"]*;?|font-family:[^;\"]*;?");
    return body.match(html).captured(1).remove(sizes);
}

QString RichText::muted(const QString& text) const {
    return QString("<span style='color:%1'>%2</span>").arg(colours_.muted.name(), text);
}

QString RichText::heading(const QString& text, const QString& more) const {
    return QString(
               "<p style='margin:2px 0 6px 2px'><span style='font-size:15pt; font-weight:600'>%1</span> "
               "%2</p>")
        .arg(text, more);
}

QString RichText::section(const QString& title) const {
    return QString("<p style='margin:12px 0 3px 2px; color:%1; font-weight:600'>%2</p>")
        .arg(colours_.accent.name(), title);
}

QString RichText::link(const QString& target, const QString& text, const QString& tip) const {
    const QString title = tip.isEmpty() ? QString() : QString(" title='%1'").arg(tip);
    return QString("<a href='%1'%2 style='color:%3; text-decoration:none'>%4</a>")
        .arg(target, title, colours_.accent.name(), text);
}

QString RichText::chip(const std::string& provider) const {
    const QColor colour = colours_.provider(provider);
    const QString name = provider.empty() ? QString("nobody") : escaped(provider);
    return QString(
               "<span style='background-color:%1; color:%2; font-weight:600'>&nbsp;%3&nbsp;</span>&nbsp;%4")
        .arg(colour.name(), Colours::textOn(colour).name(), letterOf(provider), name);
}

QString RichText::table(const QString& rows) {
    return "<table width='100%' cellspacing='0' cellpadding='2'>" + rows + "</table>";
}

QString RichText::row(const QString& name, const QString& value) const {
    return QString("<tr><td width='34%' style='color:%1'>%2</td><td>%3</td></tr>")
        .arg(colours_.muted.name(), name, value);
}

QString RichText::countRow(const std::string& name, size_t count) const {
    return QString("<tr><td align='right' width='14%'>%1</td><td>&nbsp;&nbsp;%2</td></tr>")
        .arg(count)
        .arg(escaped(name));
}

QString RichText::more(size_t count) const { return row({}, muted(QString("and %1 more").arg(count))); }

}  // namespace views
