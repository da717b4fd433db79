#include "views/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QWidget>

namespace views {

namespace {

Colours makeLight() {
    Colours colours;
    colours.isDark = false;
    colours.canvas = "#F6F7F9";
    colours.surface = "#FFFFFF";
    colours.raised = "#EEF0F3";
    colours.text = "#1B1F24";
    colours.muted = "#5B6570";
    colours.faint = "#9AA3AD";
    colours.border = "#D3D8DE";
    colours.edge = "#8792A0";
    colours.accent = "#2563EB";
    colours.node = "#FFFFFF";
    colours.nodeHeader = "#EDEFF2";
    colours.nodeBorder = "#AEB7C1";
    colours.group = "#EAEDF1";
    colours.groupBorder = "#C3CAD2";
    colours.groupText = "#48525D";
    colours.copy = "#B0307C";
    colours.error = "#C2410C";
    colours.warning = "#A16207";
    colours.low = "#2B6CB0";
    colours.high = "#D9730D";
    return colours;
}

Colours makeDark() {
    Colours colours;
    colours.isDark = true;
    colours.canvas = "#16181C";
    colours.surface = "#1D2025";
    colours.raised = "#272B31";
    colours.text = "#E6E9ED";
    colours.muted = "#A2ABB5";
    colours.faint = "#6E7781";
    colours.border = "#363C44";
    colours.edge = "#7A8592";
    colours.accent = "#6EA8FE";
    colours.node = "#24282E";
    colours.nodeHeader = "#30353D";
    colours.nodeBorder = "#4D5661";
    colours.group = "#1F2328";
    colours.groupBorder = "#3D444D";
    colours.groupText = "#B5BEC8";
    colours.copy = "#F06BB8";
    colours.error = "#FF7F50";
    colours.warning = "#E6B04D";
    colours.low = "#63A9F0";
    colours.high = "#F5A04C";
    return colours;
}

struct FamilyRow {
    Family family;
    const char* name;
    const char* light;
    const char* dark;
    const char* operators;  ///< space before and after each
};

constexpr std::array families{
    FamilyRow{Family::arithmetic, "arithmetic", "#D6DCE4", "#454D58", ""},
    FamilyRow{
        Family::layer, "layer", "#A9C8EE", "#2F5486",
        " Conv ConvTranspose ConvInteger QLinearConv DeformConv MatMul MatMulInteger QLinearMatMul Gemm "
        "FusedMatMul MatMulNBits LSTM GRU RNN FusedConv FusedGemm Einsum NhwcConv "},
    FamilyRow{Family::activation, "activation", "#EDAEA4", "#82382F",
              " Relu LeakyRelu PRelu Elu Selu Celu Sigmoid HardSigmoid HardSwish Swish Mish Tanh Softmax "
              "LogSoftmax Softplus Softsign ThresholdedRelu Gelu FastGelu BiasGelu QuickGelu Hardmax Clip "
              "Erf Shrink QLinearSigmoid QLinearLeakyRelu QLinearSoftmax "},
    FamilyRow{Family::pooling, "pooling", "#B2DAA9", "#386B34",
              " MaxPool AveragePool GlobalAveragePool GlobalMaxPool LpPool GlobalLpPool MaxRoiPool RoiAlign "
              "MaxUnpool QLinearGlobalAveragePool QLinearAveragePool "},
    FamilyRow{Family::normalization, "normalisation", "#B4D3C6", "#3D6254",
              " BatchNormalization LayerNormalization InstanceNormalization GroupNormalization LRN "
              "LpNormalization MeanVarianceNormalization RMSNormalization SkipLayerNormalization "
              "SimplifiedLayerNormalization SkipSimplifiedLayerNormalization Dropout "},
    FamilyRow{
        Family::shape, "shape", "#DCC6B3", "#64503F",
        " Reshape Transpose Flatten Squeeze Unsqueeze Concat Split Slice Gather GatherElements GatherND "
        "Scatter ScatterElements ScatterND Expand Tile Pad Shape Size Resize Upsample DepthToSpace "
        "SpaceToDepth Identity ConstantOfShape Range ReverseSequence Trilu OneHot EyeLike NonZero "
        "Compress Unique TopK TensorScatter "},
    FamilyRow{Family::quantization, "quantization", "#EFC38C", "#7D561D",
              " QuantizeLinear DequantizeLinear DynamicQuantizeLinear QLinearAdd QLinearMul QLinearConcat "
              "Cast CastLike BitCast "},
    FamilyRow{Family::attention, "attention", "#E6B285", "#7A4A1E",
              " Attention MultiHeadAttention GroupQueryAttention QAttention RotaryEmbedding "
              "EmbedLayerNormalization "},
    FamilyRow{Family::control, "control flow", "#D3C4EE", "#51427A",
              " If Loop Scan SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert "
              "SequenceLength SequenceMap SplitToSequence ConcatFromSequence Optional OptionalGetElement "
              "OptionalHasElement "},
    FamilyRow{Family::constant, "constant", "#E4E4E4", "#4B4E52", " Constant "},
    FamilyRow{Family::unknown, "unknown", "#F4F4F4", "#34373B", ""},
};

const FamilyRow& rowOf(Family family) {
    return *std::find_if(families.begin(), families.end(),
                         [&](const FamilyRow& row) { return row.family == family; });
}

struct ProviderRow {
    const char* name;
    const char* light;
    const char* dark;
    const char* letter;
};

constexpr std::array providers{
    ProviderRow{"cpu", "#0072B2", "#56B4E9", "C"},
    ProviderRow{"cuda", "#007A5A", "#2FC29B", "G"},
    ProviderRow{"reference", "#B87700", "#E6B04D", "R"},
};

}  // namespace

Family familyOf(const std::string& domain, const std::string& operatorType) {
    const std::string word = ' ' + operatorType + ' ';
    for (const FamilyRow& row : families) {
        if (std::string_view(row.operators).find(word) != std::string_view::npos) return row.family;
    }
    const bool isKnownDomain = domain.empty() || domain == "ai.onnx";
    return isKnownDomain ? Family::arithmetic : Family::unknown;
}

QString nameOf(Family family) { return QString::fromUtf8(rowOf(family).name); }

QColor Colours::provider(const std::string& name) const {
    if (name.empty()) return error;
    for (const ProviderRow& row : providers) {
        if (name == row.name) return QColor(isDark ? row.dark : row.light);
    }
    return QColor(isDark ? "#A79BFF" : "#6A5ACD");
}

QColor Colours::family(Family which) const {
    const FamilyRow& row = rowOf(which);
    return QColor(isDark ? row.dark : row.light);
}

QColor Colours::heat(double fraction) const {
    static constexpr std::array<std::array<int, 3>, 11> cividis{{{0, 34, 78},
                                                                 {18, 53, 112},
                                                                 {59, 73, 108},
                                                                 {87, 93, 109},
                                                                 {112, 113, 115},
                                                                 {138, 134, 120},
                                                                 {165, 156, 116},
                                                                 {195, 179, 105},
                                                                 {225, 204, 85},
                                                                 {246, 221, 66},
                                                                 {254, 232, 56}}};
    const double place = std::clamp(fraction, 0.0, 1.0) * (cividis.size() - 1);
    const auto below = std::min(static_cast<size_t>(place), cividis.size() - 2);
    const double rest = place - static_cast<double>(below);
    const auto channel = [&](size_t index) {
        return static_cast<int>(
            std::lround(cividis[below][index] + rest * (cividis[below + 1][index] - cividis[below][index])));
    };
    return {channel(0), channel(1), channel(2)};
}

QColor Colours::textOn(const QColor& background) {
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    const double luminance = 0.2126 * linear(background.redF()) + 0.7152 * linear(background.greenF()) +
                             0.0722 * linear(background.blueF());
    // Where both texts have the same contrast, 4.2 to 1.
    return luminance > 0.198 ? QColor("#14171A") : QColor("#FFFFFF");
}

QColor Colours::mix(const QColor& colour, const QColor& other, double share) {
    const auto blend = [&](double a, double b) { return static_cast<float>(a + share * (b - a)); };
    return QColor::fromRgbF(blend(colour.redF(), other.redF()), blend(colour.greenF(), other.greenF()),
                            blend(colour.blueF(), other.blueF()), blend(colour.alphaF(), other.alphaF()));
}

QString letterOf(const std::string& provider) {
    if (provider.empty()) return "!";
    for (const ProviderRow& row : providers) {
        if (provider == row.name) return row.letter;
    }
    return QString::fromStdString(provider).left(1).toUpper();
}

const Colours& lightColours() {
    static const Colours colours = makeLight();
    return colours;
}

const Colours& darkColours() {
    static const Colours colours = makeDark();
    return colours;
}

const Colours& coloursOf(const QWidget* widget) {
    return widget->palette().color(QPalette::Window).lightness() < 128 ? darkColours() : lightColours();
}

QPalette applicationPalette(const Colours& colours) {
    QPalette palette;
    palette.setColor(QPalette::Window, colours.surface);
    palette.setColor(QPalette::WindowText, colours.text);
    palette.setColor(QPalette::Base, colours.surface);
    palette.setColor(QPalette::AlternateBase, Colours::mix(colours.surface, colours.raised, 0.5));
    palette.setColor(QPalette::Text, colours.text);
    palette.setColor(QPalette::Button, colours.raised);
    palette.setColor(QPalette::ButtonText, colours.text);
    palette.setColor(QPalette::BrightText, colours.error);
    palette.setColor(QPalette::Highlight, colours.accent);
    palette.setColor(QPalette::HighlightedText, Colours::textOn(colours.accent));
    palette.setColor(QPalette::Link, colours.accent);
    palette.setColor(QPalette::PlaceholderText, colours.muted);
    palette.setColor(QPalette::ToolTipBase, colours.raised);
    palette.setColor(QPalette::ToolTipText, colours.text);
    palette.setColor(QPalette::Light, Colours::mix(colours.raised, Qt::white, colours.isDark ? 0.08 : 0.6));
    palette.setColor(QPalette::Midlight, Colours::mix(colours.raised, colours.surface, 0.5));
    palette.setColor(QPalette::Mid, colours.border);
    palette.setColor(QPalette::Dark, colours.faint);
    palette.setColor(QPalette::Shadow, colours.isDark ? QColor("#000000") : QColor("#8A929B"));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, colours.faint);
    }
    return palette;
}

QString applicationStyleSheet(const Colours& colours) {
    QString sheet = R"(
QToolBar { border: 0; border-bottom: 1px solid @border; spacing: 4px; padding: 4px 6px; background: @surface; }
QToolBar::separator { width: 1px; background: @border; margin: 4px 4px; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 3px 8px; }
QToolButton:hover { background: @raised; }
QToolButton:pressed, QToolButton:checked { background: @raised; border-color: @border; }
QToolButton::menu-indicator { image: none; }
QDockWidget { font-weight: 600; }
QDockWidget::title { background: @raised; padding: 5px 8px; border-bottom: 1px solid @border; }
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QStatusBar { border-top: 1px solid @border; background: @surface; }
QStatusBar::item { border: 0; }
QTabBar::tab { padding: 5px 12px; border: 0; border-bottom: 2px solid transparent; background: transparent;
    color: @muted; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:hover { color: @text; }
QTabWidget::pane { border: 0; }
QHeaderView::section { background: @raised; color: @muted; border: 0; border-right: 1px solid @border;
    border-bottom: 1px solid @border; padding: 3px 6px; }
QTableView, QTreeView, QListView { border: 0; gridline-color: @border; }
QTreeView::item { padding: 2px 0; }
QLineEdit { border: 1px solid @border; border-radius: 4px; padding: 2px 6px; background: @surface; min-height: 20px; }
QLineEdit:focus { border-color: @accent; }
QScrollBar { background: transparent; border: 0; }
QScrollBar:vertical { width: 11px; }
QScrollBar:horizontal { height: 11px; }
QScrollBar::handle { background: @border; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QPushButton { border: 1px solid @border; border-radius: 4px; padding: 4px 12px; background: @raised; }
QPushButton:hover { border-color: @faint; }
QPushButton:default { background: @accent; border-color: @accent; color: @onAccent; }
QPushButton:disabled { color: @faint; }
QToolTip { border: 1px solid @border; background: @raised; color: @text; padding: 4px; }
QProgressBar { border: 1px solid @border; border-radius: 3px; background: @raised; text-align: center; height: 14px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
)";
    const std::array replacements{
        std::pair{"@border", colours.border}, std::pair{"@surface", colours.surface},
        std::pair{"@raised", colours.raised}, std::pair{"@muted", colours.muted},
        std::pair{"@text", colours.text},     std::pair{"@onAccent", Colours::textOn(colours.accent)},
        std::pair{"@accent", colours.accent}, std::pair{"@faint", colours.faint},
    };
    for (const auto& [mark, colour] : replacements) sheet.replace(mark, colour.name());
    return sheet;
}

}  // namespace views
