#include "app/options.h"

#include <QCommandLineParser>
#include <QRegularExpression>

namespace app {

namespace {

std::optional<QSize> sizeOf(const QString& text) {
    static const QRegularExpression form("^(\\d+)x(\\d+)$");
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch()) return std::nullopt;
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool isSound =
        size.width() >= 200 && size.height() >= 150 && size.width() <= 16384 && size.height() <= 16384;
    return isSound ? std::optional(size) : std::nullopt;
}

std::optional<views::ColourBy> colourByNamed(const QString& name) {
    if (name == "provider") return views::ColourBy::provider;
    if (name == "family") return views::ColourBy::family;
    if (name == "time") return views::ColourBy::heat;
    return std::nullopt;
}

ParsedOptions wrong(const QString& message) {
    return {.options = {}, .message = "opscope: " + message + "\nTry opscope --help.", .exitCode = 2};
}

}  // namespace

ParsedOptions parseOptions(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription("Inspector and profiler for ONNX models.");
    parser.addPositionalArgument("MODEL", "models to open", "[MODEL…]");
    parser.addOptions({
        {"screenshot", "Write a picture of the window to FILE once its work is done, and end.", "FILE"},
        {"workspace", "graph, profile or compare.", "NAME"},
        {"size", "Size of the window.", "WxH", "1600x1000"},
        {"theme", "light or dark; else as the system has it.", "NAME"},
        {"colour-by", "provider, family or time.", "NAME"},
        {"custom-ops", "A library of custom operators; its code is run, so name only what you trust.",
         "LIBRARY"},
        {"measure", "With --screenshot: measure the model first."},
        {"select", "With --screenshot: select the first node of that name or operator.", "NODE"},
        {"scale", "Pixels of the picture per pixel of the window.", "N", "1"},
    });
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version({"v", "version"}, "Print the version.");
    parser.addOption(version);
    if (!parser.parse(arguments)) return wrong(parser.errorText());
    if (parser.isSet(help)) return {.options = {}, .message = parser.helpText(), .exitCode = 0};
    if (parser.isSet(version)) return {.options = {}, .message = "opscope " OPSCOPE_VERSION, .exitCode = 0};

    Options options{.models = parser.positionalArguments(), .customOperators = parser.values("custom-ops")};
    if (parser.isSet("screenshot")) options.screenshot = parser.value("screenshot");
    if (parser.isSet("workspace")) options.workspace = workspaceNamed(parser.value("workspace"));
    if (parser.isSet("workspace") && !options.workspace)
        return wrong("--workspace: found '" + parser.value("workspace") +
                     "', expected graph, profile or compare");
    const auto size = sizeOf(parser.value("size"));
    if (!size)
        return wrong("--size: found '" + parser.value("size") + "', expected WIDTHxHEIGHT, as in 1600x1000");
    options.size = *size;
    if (parser.isSet("colour-by")) options.colourBy = colourByNamed(parser.value("colour-by"));
    if (parser.isSet("colour-by") && !options.colourBy)
        return wrong("--colour-by: found '" + parser.value("colour-by") +
                     "', expected provider, family or time");
    const QString theme = parser.value("theme");
    if (theme == "light") options.theme = Theme::light;
    if (theme == "dark") options.theme = Theme::dark;
    if (!theme.isEmpty() && !options.theme)
        return wrong("--theme: found '" + theme + "', expected light or dark");
    options.selected = parser.value("select");
    options.measuresFirst = parser.isSet("measure");
    options.pixelRatio = parser.value("scale").toDouble();
    if (!(options.pixelRatio >= 1 && options.pixelRatio <= 4))
        return wrong("--scale: expected a number from 1 to 4");
    if (options.screenshot && options.models.size() != 1) return wrong("--screenshot takes one model");
    return {.options = options, .message = {}, .exitCode = {}};
}

}  // namespace app
