#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

namespace views {

/// An error where the content would be: what happened, what to do, and the details to copy.
class ErrorCard : public QWidget {
    Q_OBJECT

public:
    explicit ErrorCard(QWidget* parent = nullptr);

    /// `advice` says what the user can do; `action` is the text of the button, none if empty.
    void show(const QString& title, const QString& message, const QString& advice, const QString& action);
    QString message() const { return message_->text(); }

Q_SIGNALS:
    void actionClicked();

private:
    void copyDetails();

    QLabel* title_;
    QLabel* message_;
    QLabel* advice_;
    QPushButton* action_;
};

/// Work that goes on: what, how far, how long, and Cancel. Shows itself once the work has taken 300 ms.
class ProgressCard : public QWidget {
    Q_OBJECT

public:
    explicit ProgressCard(QWidget* parent = nullptr);

    void begin(const QString& what);
    void report(double fraction, const QString& what);
    void end();
    bool isActive() const { return isActive_; }

Q_SIGNALS:
    void cancelled();
    /// Became visible, or not: for layouts that give it room.
    void visibilityChanged();

private:
    QLabel* what_;
    QProgressBar* bar_;
    QTimer delay_;
    bool isActive_ = false;
};

}  // namespace views
