#include "app/panels.h"

#include <array>

#include "views/graph/diagnostics_panel.h"
#include "views/graph/outline_panel.h"
#include "views/graph/properties_panel.h"

namespace app {

namespace {

template <class P>
views::Panel* make(QWidget* parent) {
    return new P(parent);
}

constexpr std::array rows{
    PanelRow{
        "outline", "Outline", Qt::LeftDockWidgetArea, "", {true, false, false}, make<views::OutlinePanel>},
    PanelRow{"diagnostics",
             "Diagnostics",
             Qt::LeftDockWidgetArea,
             "",
             {true, false, false},
             make<views::DiagnosticsPanel>},
    PanelRow{"properties",
             "Properties",
             Qt::RightDockWidgetArea,
             "",
             {true, true, false},
             make<views::PropertiesPanel>},
};

}  // namespace

std::span<const PanelRow> panelTable() { return rows; }

}  // namespace app
