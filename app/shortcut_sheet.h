#pragma once

#include <vector>

#include <QDialog>

class QAction;

namespace app {

/// All shortcuts; each can be changed here and is remembered.
class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    ShortcutSheet(std::vector<QAction*> actions, QWidget* parent);
};

}  // namespace app
