#pragma once

#include <QTextBrowser>

#include "views/document.h"
#include "views/graph/place.h"
#include "views/graph/tensor_summary.h"
#include "views/panel.h"

namespace views {

/// What is selected, in words and numbers: a node, a value with its tensor, or the whole model.
class PropertiesPanel : public Panel {
    Q_OBJECT

public:
    explicit PropertiesPanel(QWidget* parent = nullptr);
    void setDocument(Document* document) override;
    QString text() const;
    QSize sizeHint() const override { return {330, 400}; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showValue(const ValueRef& value);
    void readTensor(const GraphPlace& place, engine::ValueId value);
    QString histogramUrl() const;
    void follow(const QUrl& link);
    GraphPlace placeOf(const engine::Graph* graph) const;

    Document* document_ = nullptr;
    QTextBrowser* browser_;
    bool showsDocumentation_ = false;
    GraphPlace place_;
    ValueRef summarized_;
    std::optional<TensorSummary> summary_;
    LatestJob<TensorSummary> tensorJob_;
};

}  // namespace views
