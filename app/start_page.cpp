#include "app/start_page.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/settings.h"
#include "views/format.h"

namespace app {

namespace {

constexpr int columnWidth = 460;

QLabel* heading(const QString& text, double factor, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

}  // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout;
    column->addStretch(2);
    column->addWidget(heading("Opscope", 2.2, this));
    auto* about = new QLabel(tr("Open an ONNX model, see it, run it, see where the time goes."), this);
    about->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(about);
    column->addSpacing(18);
    auto* open = new QPushButton(tr("Open a model …"), this);
    open->setDefault(true);
    open->setToolTip(tr("Ctrl+O; or drop a file anywhere"));
    auto* sample = new QPushButton(tr("Open the sample"), this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(sample);
    buttons->addStretch();
    column->addLayout(buttons);
    column->addSpacing(24);
    recent_ = new QVBoxLayout;
    recent_->setSpacing(2);
    column->addLayout(recent_);
    column->addStretch(3);
    auto* row = new QHBoxLayout(this);
    row->addStretch();
    auto* holder = new QWidget(this);
    holder->setLayout(column);
    holder->setFixedWidth(columnWidth);
    row->addWidget(holder);
    row->addStretch();
    connect(open, &QPushButton::clicked, this, &StartPage::openClicked);
    connect(sample, &QPushButton::clicked, this, &StartPage::sampleClicked);
    refresh();
}

void StartPage::refresh() {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QStringList files = Settings::recentFiles();
    if (files.isEmpty()) return;
    recent_->addWidget(heading(tr("Recent"), 1.1, this));
    for (const QString& path : files) {
        const QFileInfo info(path);
        auto* button = new QPushButton(this);
        button->setFlat(true);
        button->setStyleSheet("text-align: left; border: 0; padding: 5px 2px;");
        button->setText(QString("%1     %2 · %3")
                            .arg(info.fileName(),
                                 views::numberText(static_cast<double>(info.size()), views::Unit::bytes),
                                 QLocale().toString(info.lastModified(), QLocale::ShortFormat)));
        button->setToolTip(path);
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT fileClicked(path); });
        recent_->addWidget(button);
    }
}

}  // namespace app
