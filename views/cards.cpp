#include "views/cards.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "views/theme.h"

namespace views {

namespace {

constexpr int delayMs = 300;
constexpr int cardWidth = 520;

}  // namespace

ErrorCard::ErrorCard(QWidget* parent) : QWidget(parent) {
    title_ = new QLabel(this);
    QFont font = title_->font();
    font.setPointSizeF(font.pointSizeF() * 1.3);
    font.setWeight(QFont::DemiBold);
    title_->setFont(font);
    title_->setWordWrap(true);
    message_ = new QLabel(this);
    message_->setWordWrap(true);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    message_->setTextFormat(Qt::PlainText);
    advice_ = new QLabel(this);
    advice_->setWordWrap(true);
    advice_->setForegroundRole(QPalette::PlaceholderText);
    action_ = new QPushButton(this);
    auto* copy = new QPushButton(tr("Copy details"), this);
    connect(action_, &QPushButton::clicked, this, &ErrorCard::actionClicked);
    connect(copy, &QPushButton::clicked, this, &ErrorCard::copyDetails);

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(action_);
    buttons->addWidget(copy);
    buttons->addStretch();
    auto* column = new QVBoxLayout;
    column->addStretch();
    column->addWidget(title_);
    column->addSpacing(6);
    column->addWidget(message_);
    column->addWidget(advice_);
    column->addSpacing(10);
    column->addLayout(buttons);
    column->addStretch();
    auto* row = new QHBoxLayout(this);
    row->addStretch();
    row->addLayout(column);
    row->addStretch();
    for (QLabel* label : {title_, message_, advice_}) label->setFixedWidth(cardWidth);
}

void ErrorCard::show(const QString& title, const QString& message, const QString& advice,
                     const QString& action) {
    title_->setText("⚠  " + title);
    message_->setText(message);
    advice_->setText(advice);
    action_->setText(action);
    action_->setVisible(!action.isEmpty());
    setAccessibleName(title);
    QWidget::show();
}

void ErrorCard::copyDetails() {
    QGuiApplication::clipboard()->setText(title_->text().mid(3) + "\n" + message_->text() + "\nOpscope " +
                                          OPSCOPE_VERSION);
}

ProgressCard::ProgressCard(QWidget* parent) : QWidget(parent) {
    what_ = new QLabel(this);
    bar_ = new QProgressBar(this);
    bar_->setTextVisible(false);
    bar_->setRange(0, 1000);
    bar_->setFixedWidth(160);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    connect(cancel, &QPushButton::clicked, this, &ProgressCard::cancelled);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 12, 6);
    row->addWidget(bar_);
    row->addWidget(what_, 1);
    row->addWidget(cancel);
    delay_.setSingleShot(true);
    connect(&delay_, &QTimer::timeout, this, [this] {
        setVisible(isActive_);
        Q_EMIT visibilityChanged();
    });
    setVisible(false);
}

void ProgressCard::begin(const QString& what) {
    what_->setText(what);
    bar_->setRange(0, 0);
    if (!isActive_) delay_.start(delayMs);
    isActive_ = true;
}

void ProgressCard::report(double fraction, const QString& what) {
    bar_->setRange(0, fraction > 0 ? 1000 : 0);
    bar_->setValue(static_cast<int>(fraction * 1000));
    if (!what.isEmpty()) what_->setText(what);
}

void ProgressCard::end() {
    isActive_ = false;
    delay_.stop();
    setVisible(false);
    Q_EMIT visibilityChanged();
}

}  // namespace views
