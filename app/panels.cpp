#include "app/panels.h"

#include <array>

#include "views/graph/diagnostics_panel.h"
#include "views/graph/outline_panel.h"
#include "views/graph/properties_panel.h"
#include "views/profile/setup_panel.h"
#include "views/profile/step_tables.h"
#include "views/profile/timeline_panel.h"

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
    PanelRow{"setup", "Setup", Qt::LeftDockWidgetArea, "", {false, true, false}, make<views::SetupPanel>},
    PanelRow{"properties",
             "Properties",
             Qt::RightDockWidgetArea,
             "",
             {true, true, false},
             make<views::PropertiesPanel>},
    PanelRow{
        "steps", "Per step", Qt::BottomDockWidgetArea, "", {false, true, false}, make<views::StepTablePanel>},
    PanelRow{"types",
             "Per operator type",
             Qt::BottomDockWidgetArea,
             "steps",
             {false, true, false},
             make<views::TypeTablePanel>},
    PanelRow{"timeline",
             "Timeline",
             Qt::BottomDockWidgetArea,
             "steps",
             {false, true, false},
             make<views::TimelinePanel>},
};

}  // namespace

std::span<const PanelRow> panelTable() { return rows; }

}  // namespace app
