#include "views/graph/properties_panel.h"

#include <QBuffer>
#include <QDesktopServices>
#include <QEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QTextDocumentFragment>
#include <QUrl>
#include <QVBoxLayout>

#include "views/format.h"
#include "views/graph/properties_text.h"

namespace views {

namespace {

constexpr QChar breakHere{0x200B};

/// Names are shown with places where they may break; who copies one gets it without them.
class NameBrowser : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;

protected:
    QMimeData* createMimeDataFromSelection() const override {
        auto* copied = new QMimeData;
        copied->setText(textCursor().selection().toPlainText().remove(breakHere));
        return copied;
    }
};

}  // namespace

PropertiesPanel::PropertiesPanel(QWidget* parent) : Panel(parent) {
    browser_ = new NameBrowser(this);
    browser_->setOpenLinks(false);
    browser_->setFrameShape(QFrame::NoFrame);
    browser_->document()->setDocumentMargin(8);
    browser_->setAccessibleName(tr("Properties"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(browser_);
    connect(browser_, &QTextBrowser::anchorClicked, this, &PropertiesPanel::follow);
}

QString PropertiesPanel::text() const { return browser_->toPlainText().remove(breakHere); }

void PropertiesPanel::setDocument(Document* document) {
    if (document_ != nullptr) {
        document_->disconnect(this);
        document_->selection()->disconnect(this);
    }
    document_ = document;
    tensorJob_.drop();
    summary_.reset();
    summarized_ = {};
    place_ = {};
    if (document_ != nullptr) {
        connect(document_->selection(), &Selection::changed, this, &PropertiesPanel::refresh);
        for (const auto signal : {&Document::opened, &Document::typesChanged, &Document::placementChanged,
                                  &Document::profileChanged}) {
            connect(document_, signal, this, &PropertiesPanel::refresh);
        }
    }
    refresh();
}

void PropertiesPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    Panel::changeEvent(event);
}

void PropertiesPanel::refresh() {
    if (document_ == nullptr || !document_->model()) return browser_->clear();
    const Selection& selection = *document_->selection();
    const PropertiesText text(*document_, coloursOf(this));
    const int scroll = browser_->verticalScrollBar()->value();
    if (selection.value()) {
        showValue(*selection.value());
    } else if (selection.nodes().size() == 1) {
        place_ = pathTo(*document_->model(), document_->types(), selection.current()).back();
        browser_->setHtml(text.ofNode(selection.current(), place_, showsDocumentation_));
    } else if (selection.nodes().size() > 1) {
        browser_->setHtml(text.ofNodes(selection.nodes()));
    } else {
        place_ = mainPath(*document_->model(), document_->types()).front();
        browser_->setHtml(text.ofModel());
    }
    if (sender() != document_->selection()) browser_->verticalScrollBar()->setValue(scroll);
}

GraphPlace PropertiesPanel::placeOf(const engine::Graph* graph) const {
    for (size_t index = 0; index < document_->model()->origins.size(); ++index) {
        if (document_->model()->origins[index].graph.get() != graph) continue;
        return pathTo(*document_->model(), document_->types(), engine::OriginId(index)).back();
    }
    return mainPath(*document_->model(), document_->types()).front();
}

void PropertiesPanel::showValue(const ValueRef& value) {
    place_ = placeOf(value.graph);
    if (place_.graph.get() != value.graph) return;
    if (summarized_ != value) {
        summary_.reset();
        summarized_ = value;
        readTensor(place_, value.value);
    }
    const PropertiesText text(*document_, coloursOf(this));
    browser_->setHtml(text.ofValue(value.value, place_, summary_ ? &*summary_ : nullptr)
                          .replace("histogram:", histogramUrl()));
}

void PropertiesPanel::readTensor(const GraphPlace& place, engine::ValueId value) {
    const engine::Tensor* tensor = constantTensor(*place.graph, engine::Uses(*place.graph), value);
    if (tensor == nullptr) return tensorJob_.drop();
    auto work = [copy = *tensor](engine::Observer& observer) { return summarizeTensor(copy, observer); };
    tensorJob_.start(startJob(std::move(work)),
                     {.done =
                          [this](const TensorSummary& summary) {
                              summary_ = summary;
                              refresh();
                          },
                      .failed =
                          [this](const engine::Error& error) {
                              browser_->append(qstring(error.what()).toHtmlEscaped());
                          }});
}

QString PropertiesPanel::histogramUrl() const {
    if (!summary_ || !summary_->statistics) return {};
    const auto& bins = summary_->statistics->histogram;
    const Colours& colours = coloursOf(this);
    const double ratio = devicePixelRatioF();
    QImage image(QSize(256, 56) * ratio, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(ratio, ratio);
    const auto most = static_cast<double>(*std::max_element(bins.begin(), bins.end()));
    const double width = 256.0 / static_cast<double>(bins.size());
    for (size_t index = 0; index < bins.size(); ++index) {
        if (bins[index] == 0) continue;
        const double height = std::max(1.0, 54 * static_cast<double>(bins[index]) / most);
        painter.fillRect(QRectF(static_cast<double>(index) * width, 55 - height, width - 1, height),
                         colours.accent);
    }
    painter.fillRect(QRectF(0, 55, 256, 1), colours.border);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return "data:image/png;base64," + QString::fromLatin1(bytes.toBase64());
}

void PropertiesPanel::follow(const QUrl& link) {
    const auto index = static_cast<size_t>(link.path().toULongLong());
    if (link.scheme() == "node") {
        document_->selection()->select(engine::OriginId(index));
    } else if (link.scheme() == "value") {
        document_->selection()->select(ValueRef{place_.graph.get(), engine::ValueId(index)});
    } else if (link.scheme() == "folder") {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(document_->path()).absolutePath()));
    } else if (link.scheme() == "doc") {
        showsDocumentation_ = !showsDocumentation_;
        refresh();
    } else if (link.scheme() == "https" || link.scheme() == "http") {
        QDesktopServices::openUrl(link);
    }
}

}  // namespace views
