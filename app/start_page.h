#pragma once

#include <QWidget>

class QVBoxLayout;

namespace app {

/// What an empty window shows: open a model, open the sample, recent files.
class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    /// Lists the recent files anew.
    void refresh();

Q_SIGNALS:
    void openClicked();
    void sampleClicked();
    void fileClicked(const QString& path);

private:
    QVBoxLayout* recent_;
};

}  // namespace app
