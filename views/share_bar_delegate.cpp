#include "views/share_bar_delegate.h"

#include <algorithm>

#include <QPainter>

#include "views/theme.h"

namespace views {

namespace {

constexpr int chip = 15;

}  // namespace

void ShareBarDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(providerRole).isValid()) option->text = QString(3, QChar(0x2002)) + option->text;
}

void ShareBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    const Colours& colours = coloursOf(option.widget);
    const QVariant share = index.data(shareRole);
    QStyledItemDelegate::paint(painter, option, index);
    if (share.isValid()) {
        const double fraction = std::clamp(share.toDouble(), 0.0, 1.0);
        QColor bar = colours.accent;
        bar.setAlphaF(0.22F);
        const QRectF cell = QRectF(option.rect).adjusted(3, 3, -3, -3);
        painter->fillRect(QRectF(cell.left(), cell.top(), cell.width() * fraction, cell.height()), bar);
    }
    const QVariant provider = index.data(providerRole);
    if (!provider.isValid()) return;
    const std::string name = provider.toString().toStdString();
    const QColor colour = colours.provider(name);
    const QRectF box(option.rect.left() + 4, option.rect.center().y() - chip / 2 + 1, chip, chip);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawRoundedRect(box, 3, 3);
    QFont font = option.font;
    font.setPixelSize(10);
    font.setBold(true);
    painter->setFont(font);
    painter->setPen(Colours::textOn(colour));
    painter->drawText(box, Qt::AlignCenter, letterOf(name));
    painter->restore();
}

}  // namespace views
