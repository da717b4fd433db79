#include "app/shortcut_sheet.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/settings.h"

namespace app {

namespace {

struct FixedKey {
    const char* keys;
    const char* what;
};

constexpr FixedKey canvasKeys[] = {
    {"Wheel, Shift+wheel", "scroll"},
    {"Ctrl+wheel", "zoom about the pointer"},
    {"Drag", "pan"},
    {"Shift+drag, Shift+click", "select several"},
    {"Double click, Enter", "go into a body, open or close a group"},
    {"Arrows", "walk along the edges"},
    {"+  −  0  Space", "zoom in, out, to 100 %, fit"},
    {"W A S D", "in the timeline: zoom in, left, zoom out, right"},
};

}  // namespace

ShortcutSheet::ShortcutSheet(std::vector<QAction*> actions, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Keyboard shortcuts"));
    resize(560, 640);
    auto* content = new QWidget(this);
    auto* grid = new QGridLayout(content);
    int row = 0;
    for (QAction* action : actions) {
        grid->addWidget(new QLabel(action->text(), content), row, 0);
        auto* edit = new QKeySequenceEdit(action->shortcut(), content);
        edit->setAccessibleName(action->text());
        connect(edit, &QKeySequenceEdit::editingFinished, action, [action, edit] {
            action->setShortcut(edit->keySequence());
            Settings::setValue("shortcuts/" + action->objectName(), edit->keySequence().toString().toUtf8());
        });
        grid->addWidget(edit, row, 1);
        auto* usual = new QPushButton(tr("Usual"), content);
        usual->setToolTip(tr("Back to the usual shortcut"));
        connect(usual, &QPushButton::clicked, action, [action, edit] {
            action->setShortcuts(QKeySequence::listFromString(action->property("usualShortcuts").toString()));
            edit->setKeySequence(action->shortcut());
            Settings::remove("shortcuts/" + action->objectName());
        });
        grid->addWidget(usual, row++, 2);
    }
    for (const FixedKey& key : canvasKeys) {
        auto* keys = new QLabel(tr(key.keys), content);
        keys->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(new QLabel(tr(key.what), content), row, 0);
        grid->addWidget(keys, row++, 1, 1, 2);
    }
    auto* area = new QScrollArea(this);
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(area);
    column->addWidget(buttons);
}

}  // namespace app
