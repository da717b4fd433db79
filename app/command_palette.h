#pragma once

#include <functional>
#include <vector>

#include <QDialog>
#include <QLineEdit>
#include <QListWidget>

namespace app {

/// Something to choose: its text, a word beside it, and what choosing does.
struct PaletteEntry {
    QString text;
    QString hint;
    std::function<void()> run;
};

/// A list that narrows while one types; Enter takes the current entry.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(const QString& title, std::vector<PaletteEntry> entries, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void choose();

    std::vector<PaletteEntry> entries_;
    QLineEdit* line_;
    QListWidget* list_;
};

}  // namespace app
