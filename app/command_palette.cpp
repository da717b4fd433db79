#include "app/command_palette.h"

#include <QKeyEvent>
#include <QVBoxLayout>

namespace app {

namespace {

constexpr int mostShown = 200;

}  // namespace

CommandPalette::CommandPalette(const QString& title, std::vector<PaletteEntry> entries, QWidget* parent)
    : QDialog(parent), entries_(std::move(entries)) {
    setWindowTitle(title);
    resize(520, 380);
    line_ = new QLineEdit(this);
    line_->setPlaceholderText(title);
    line_->setAccessibleName(title);
    line_->installEventFilter(this);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Matches"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(line_);
    column->addWidget(list_);
    connect(line_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(line_, &QLineEdit::returnPressed, this, &CommandPalette::choose);
    connect(list_, &QListWidget::itemActivated, this, &CommandPalette::choose);
    filter({});
}

void CommandPalette::filter(const QString& text) {
    list_->clear();
    const QStringList words = text.split(' ', Qt::SkipEmptyParts);
    for (size_t index = 0; index < entries_.size() && list_->count() < mostShown; ++index) {
        const QString whole = entries_[index].text + "    " + entries_[index].hint;
        const bool matches = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return whole.contains(word, Qt::CaseInsensitive);
        });
        if (!matches) continue;
        auto* item = new QListWidgetItem(whole, list_);
        item->setData(Qt::UserRole, static_cast<int>(index));
    }
    list_->setCurrentRow(0);
}

void CommandPalette::choose() {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr) return;
    const std::function<void()> run = entries_[static_cast<size_t>(item->data(Qt::UserRole).toInt())].run;
    accept();
    run();
}

bool CommandPalette::eventFilter(QObject*, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Up && key != Qt::Key_Down) return false;
    const int row = list_->currentRow() + (key == Qt::Key_Down ? 1 : -1);
    if (row >= 0 && row < list_->count()) list_->setCurrentRow(row);
    return true;
}

}  // namespace app
