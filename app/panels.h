#pragma once

#include <span>

#include "app/workspace.h"
#include "views/panel.h"

namespace app {

/// One row a dock.
struct PanelRow {
    const char* id;
    const char* title;
    Qt::DockWidgetArea area;
    const char* tabbedWith;  ///< id of the panel in whose place it stands as a tab, or ""
    bool isIn[3];            ///< shown at first, by workspace
    views::Panel* (*make)(QWidget* parent);
};

/// All panels there are, in the order of their docks.
std::span<const PanelRow> panelTable();

}  // namespace app
