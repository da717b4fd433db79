#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>

#include "app/command_palette.h"
#include "app/main_window.h"
#include "app/panels.h"
#include "app/shortcut_sheet.h"
#include "engine/core/error.h"
#include "engine/ops/custom_ops.h"
#include "views/format.h"

namespace app {

using views::ColourBy;
using views::GraphView;

struct MainWindow::ActionRow {
    const char* id;
    const char* text;
    QList<QKeySequence> shortcuts;
    std::function<void()> run;
    bool needsDocument = true;
};

QAction* MainWindow::add(const ActionRow& row) {
    auto* action = new QAction(tr(row.text), this);
    action->setObjectName(row.id);
    action->setProperty("needsDocument", row.needsDocument);
    action->setProperty("usualShortcuts", QKeySequence::listToString(row.shortcuts));
    const QByteArray chosen = Settings::value(QString("shortcuts/") + row.id);
    action->setShortcuts(chosen.isEmpty() ? row.shortcuts
                                          : QKeySequence::listFromString(QString::fromUtf8(chosen)));
    if (row.run) connect(action, &QAction::triggered, this, row.run);
    addAction(action);
    actions_[row.id] = action;
    return action;
}

void MainWindow::forGraph(const std::function<void(GraphView&)>& action) {
    if (DocumentPage* page = currentPage()) action(*page->graph());
}

void MainWindow::buildActions() {
    const auto onSelection = [this](auto method) {
        return [this, method] {
            if (DocumentPage* page = currentPage()) (page->document()->selection()->*method)();
        };
    };
    const auto onGraph = [this](auto method) {
        return [this, method] { forGraph([&](GraphView& view) { (view.*method)(); }); };
    };
    const auto zoom = [this](double factor) {
        return [this, factor] { forGraph([&](GraphView& view) { view.canvas()->zoomBy(factor); }); };
    };
    const std::vector<ActionRow> rows{
        {"file.open", "Open …", {QKeySequence::Open}, [this] { chooseFile(); }, false},
        {"file.sample", "Open the sample", {}, [this] { openSample(); }, false},
        {"file.reload", "Reload", {Qt::Key_F5}, [this] { reload(); }},
        {"file.operators", "Load custom operators …", {}, [this] { chooseCustomOperators(); }, false},
        {"file.picture",
         "Export the graph as a picture …",
         {Qt::CTRL | Qt::SHIFT | Qt::Key_E},
         [this] { exportPicture(); }},
        {"file.report", "Export the report …", {Qt::CTRL | Qt::Key_E}, [this] { exportReport(); }},
        {"file.close",
         "Close",
         {Qt::CTRL | Qt::Key_W, Qt::CTRL | Qt::Key_F4},
         [this] { closePage(tabs_->currentIndex()); }},
        {"file.quit", "Quit", {QKeySequence::Quit}, [this] { close(); }, false},
        {"edit.find",
         "Find",
         {QKeySequence::Find},
         [this] {
             search_->setFocus();
             search_->selectAll();
         }},
        {"edit.next", "Find next", {Qt::Key_F3}, onGraph(&GraphView::findNext)},
        {"edit.previous", "Find previous", {Qt::SHIFT | Qt::Key_F3}, onGraph(&GraphView::findPrevious)},
        {"edit.goto", "Go to node …", {Qt::CTRL | Qt::Key_G}, [this] { goTo(); }},
        {"edit.escape", "Clear selection and search", {Qt::Key_Escape}, [this] { escape(); }},
        {"go.back", "Back", {Qt::ALT | Qt::Key_Left}, onSelection(&views::Selection::goBack)},
        {"go.forward", "Forward", {Qt::ALT | Qt::Key_Right}, onSelection(&views::Selection::goForward)},
        {"go.parent", "To the graph around", {Qt::Key_Backspace}, onGraph(&GraphView::leave)},
        {"graph.openGroups",
         "Open all groups",
         {Qt::CTRL | Qt::SHIFT | Qt::Key_Plus},
         onGraph(&GraphView::openAllGroups)},
        {"graph.closeGroups",
         "Close all groups",
         {Qt::CTRL | Qt::SHIFT | Qt::Key_Minus},
         onGraph(&GraphView::closeAllGroups)},
        {"graph.fit",
         "Fit the whole graph",
         {Qt::CTRL | Qt::Key_0},
         [this] { forGraph([](GraphView& view) { view.canvas()->fit(); }); }},
        {"graph.in", "Zoom in", {QKeySequence::ZoomIn}, zoom(1.2)},
        {"graph.out", "Zoom out", {QKeySequence::ZoomOut}, zoom(1 / 1.2)},
        {"run.run", "Run or stop", {Qt::CTRL | Qt::Key_R}, [this] { runBar_->toggleRun(); }},
        {"view.layout", "Restore layout", {}, [this] { arrangeDocks(); }, false},
        {"help.keys", "Keyboard shortcuts", {Qt::Key_Question}, [this] { showShortcuts(); }, false},
        {"help.palette",
         "Command palette",
         {Qt::CTRL | Qt::SHIFT | Qt::Key_P},
         [this] { showPalette(); },
         false},
        {"help.about",
         "About Opscope",
         {},
         [this] {
             QMessageBox::about(
                 this, tr("About Opscope"),
                 tr("Opscope %1\nInspector and profiler for ONNX models.\n\nSources: Apache-2.0. "
                    "This program contains Qt Charts and is as a whole under GPL-3.")
                     .arg(OPSCOPE_VERSION));
         },
         false},
    };
    for (const ActionRow& row : rows) add(row);

    auto* workspaceGroup = new QActionGroup(this);
    int number = 1;
    for (const WorkspaceInfo& info : workspaces) {
        const std::string id = std::string("workspace.") + info.id;
        QAction* action = add({id.c_str(),
                               info.title,
                               {Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number++)},
                               [this, workspace = info.workspace] { setWorkspace(workspace); },
                               false});
        action->setCheckable(true);
        workspaceGroup->addAction(action);
    }
    actions_.at("workspace.graph")->setChecked(true);

    colourGroup_ = new QActionGroup(this);
    const struct {
        const char* id;
        const char* text;
        ColourBy colourBy;
    } colourRows[] = {{"colour.provider", "Provider", ColourBy::provider},
                      {"colour.family", "Operator family", ColourBy::family},
                      {"colour.heat", "Time", ColourBy::heat}};
    for (const auto& row : colourRows) {
        QAction* action =
            add({row.id, row.text, {}, [this, colourBy = row.colourBy] { setColourBy(colourBy); }, false});
        action->setCheckable(true);
        action->setData(static_cast<int>(row.colourBy));
        colourGroup_->addAction(action);
    }
    colourGroup_->actions().first()->setChecked(true);
}

void MainWindow::buildMenus() {
    const auto fill = [this](QMenu* menu, std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            if (*id == '\0') {
                menu->addSeparator();
            } else {
                menu->addAction(actions_.at(id));
            }
        }
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    fill(file, {"file.open", "file.sample"});
    recent_ = file->addMenu(tr("Recent"));
    fill(file, {"", "file.reload", "file.operators", "", "file.report", "file.picture", "", "file.close",
                "file.quit"});
    fill(menuBar()->addMenu(tr("&Edit")),
         {"edit.find", "edit.next", "edit.previous", "edit.goto", "", "edit.escape"});
    QMenu* view = menuBar()->addMenu(tr("&View"));
    fill(view, {"workspace.graph", "workspace.profile", "workspace.compare", ""});
    QMenu* colour = view->addMenu(tr("Colour by"));
    fill(colour, {"colour.provider", "colour.family", "colour.heat"});
    QMenu* panels = view->addMenu(tr("Panels"));
    for (const PanelRow& row : panelTable()) panels->addAction(docks_.at(row.id)->toggleViewAction());
    QMenu* theme = view->addMenu(tr("Theme"));
    auto* themeGroup = new QActionGroup(this);
    for (const auto& [text, value] :
         {std::pair{tr("As the system"), Theme::system}, std::pair{tr("Light"), Theme::light},
          std::pair{tr("Dark"), Theme::dark}}) {
        QAction* action = theme->addAction(text, this, [this, chosen = value] { setTheme(chosen); });
        action->setCheckable(true);
        action->setChecked(Settings::theme() == value);
        themeGroup->addAction(action);
    }
    QAction* wheel = view->addAction(tr("Wheel zooms"));
    wheel->setCheckable(true);
    wheel->setChecked(Settings::wheelZooms());
    connect(wheel, &QAction::toggled, this, [this](bool isOn) {
        Settings::setWheelZooms(isOn);
        for (int index = 1; index < pages_->count(); ++index) {
            static_cast<DocumentPage*>(pages_->widget(index))->graph()->canvas()->setWheelZooms(isOn);
        }
    });
    fill(view, {"", "view.layout"});
    fill(menuBar()->addMenu(tr("&Go")), {"go.back", "go.forward", "go.parent", "", "graph.fit", "graph.in",
                                         "graph.out", "", "graph.openGroups", "graph.closeGroups"});
    fill(menuBar()->addMenu(tr("&Run")), {"run.run"});
    fill(menuBar()->addMenu(tr("&Help")), {"help.keys", "help.palette", "help.about"});
    fillRecentMenu();
}

void MainWindow::fillRecentMenu() {
    recent_->clear();
    int number = 1;
    for (const QString& path : Settings::recentFiles()) {
        QAction* action =
            recent_->addAction(QFileInfo(path).fileName(), this, [this, path] { openFile(path); });
        action->setShortcut(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number++));
        action->setToolTip(path);
    }
    recent_->addSeparator();
    recent_->addAction(tr("Clear the list"), this, [this] {
        Settings::clearRecentFiles();
        fillRecentMenu();
    });
}

void MainWindow::buildToolBar() {
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName("tools");
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    for (const WorkspaceInfo& info : workspaces) {
        bar->addAction(actions_.at(QString("workspace.") + info.id));
        auto* button = bar->widgetForAction(actions_.at(QString("workspace.") + info.id));
        QFont font = button->font();
        font.setWeight(QFont::DemiBold);
        button->setFont(font);
    }
    bar->addSeparator();
    bar->addAction(actions_.at("file.open"));
    bar->addWidget(runBar_);
    auto* stretch = new QWidget(bar);
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(stretch);
    auto* colour = new QToolButton(bar);
    colour->setPopupMode(QToolButton::InstantPopup);
    colour->setMenu(new QMenu(colour));
    colour->setAccessibleName(tr("Colour by"));
    for (QAction* action : colourGroup_->actions()) {
        colour->menu()->addAction(action);
        connect(action, &QAction::toggled, colour, [colour, action](bool isOn) {
            if (isOn) colour->setText(tr("Colour by: %1 ▾").arg(action->text().toLower()));
        });
    }
    colour->setText(tr("Colour by: %1 ▾").arg(tr("provider")));
    bar->addWidget(colour);
    search_ = new QLineEdit(bar);
    search_->setPlaceholderText(tr("Search (Ctrl+F)"));
    search_->setClearButtonEnabled(true);
    search_->setMinimumWidth(110);
    search_->setMaximumWidth(220);
    search_->setAccessibleName(tr("Search the graph"));
    bar->addWidget(search_);
    matches_ = new QLabel(bar);
    matches_->setMinimumWidth(52);
    bar->addWidget(matches_);
    connect(search_, &QLineEdit::textEdited, this, [this] { find(); });
    connect(search_, &QLineEdit::returnPressed, this,
            [this] { forGraph([](GraphView& view) { view.findNext(); }); });
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty()) find();
    });
}

void MainWindow::find() {
    forGraph([&](GraphView& view) { view.find(search_->text()); });
}

void MainWindow::showMatches() {
    const DocumentPage* page = currentPage();
    if (page == nullptr || search_->text().isEmpty()) return matches_->clear();
    GraphView* graph = const_cast<DocumentPage*>(page)->graph();
    matches_->setText(graph->matchCount() == 0
                          ? tr("none")
                          : QString("%1 / %2").arg(graph->matchIndex() + 1).arg(graph->matchCount()));
}

void MainWindow::chooseFile() {
    const QStringList paths =
        QFileDialog::getOpenFileNames(this, tr("Open a model"), QString::fromUtf8(Settings::value("folder")),
                                      tr("ONNX models (*.onnx *.onnxtxt *.ort *.pb);;All files (*)"));
    for (const QString& path : paths) openFile(path);
    if (!paths.isEmpty()) Settings::setValue("folder", QFileInfo(paths.first()).absolutePath().toUtf8());
}

void MainWindow::openSample() {
    if (const QString path = samplePath(); !path.isEmpty()) openFile(path);
}

void MainWindow::reload() {
    if (DocumentPage* page = currentPage()) page->document()->open();
}

void MainWindow::chooseCustomOperators() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Load custom operators: the library's code is run, so choose only what you trust"), {},
        tr("Shared libraries (*.so *.so.* *.dylib *.dll);;All files (*)"));
    if (path.isEmpty()) return;
    try {
        const std::vector<std::string> names = engine::loadCustomOperators(path.toStdString());
        status_->showMessage(tr("Loaded: %1").arg(views::qstring(engine::join(names, ", "))), 10000);
    } catch (const engine::Error& error) {
        QMessageBox::warning(this, tr("Custom operators"), QString::fromUtf8(error.what()));
        return;
    }
    for (int index = 1; index < pages_->count(); ++index) {
        static_cast<DocumentPage*>(pages_->widget(index))->document()->open();
    }
}

void MainWindow::escape() {
    if (!search_->text().isEmpty()) {
        search_->clear();
    } else if (DocumentPage* page = currentPage()) {
        page->document()->selection()->clear();
    }
    forGraph([](GraphView& view) { view.canvas()->setFocus(); });
}

void MainWindow::goTo() {
    DocumentPage* page = currentPage();
    if (page == nullptr || !page->document()->model()) return;
    const auto& model = *page->document()->model();
    std::vector<PaletteEntry> entries;
    for (size_t index = 0; index < model.origins.size(); ++index) {
        const engine::OriginPlace& place = model.origins[index];
        const engine::Node& node = place.graph->node(place.node);
        const QString name = node.name.empty() ? QString("#%1").arg(index) : views::qstring(node.name);
        entries.push_back({name, views::qstring(node.operatorType), [page, index] {
                               page->document()->selection()->select(engine::OriginId(index));
                           }});
    }
    CommandPalette(tr("Go to node"), std::move(entries), this).exec();
}

void MainWindow::showPalette() {
    std::vector<PaletteEntry> entries;
    for (const auto& [id, action] : actions_) {
        if (!action->isEnabled()) continue;
        entries.push_back({action->text(), action->shortcut().toString(QKeySequence::NativeText),
                           [chosen = action] { chosen->trigger(); }});
    }
    CommandPalette(tr("Commands"), std::move(entries), this).exec();
}

void MainWindow::showShortcuts() {
    std::vector<QAction*> actions;
    for (const auto& [id, action] : actions_) actions.push_back(action);
    ShortcutSheet(std::move(actions), this).exec();
}

void MainWindow::exportReport() {
    DocumentPage* page = currentPage();
    if (page == nullptr || !page->document()->session()) return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the report"), page->document()->title() + ".html",
        tr("Report (*.html);;Short form (*.md);;Steps as a table (*.csv);;Figures (*.json)"));
    if (!path.isEmpty()) page->document()->saveReport(path);
}

void MainWindow::exportPicture() {
    DocumentPage* page = currentPage();
    if (page == nullptr) return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the graph"), page->document()->title() + ".svg", tr("SVG (*.svg);;PNG (*.png)"));
    if (path.isEmpty()) return;
    page->graph()->savePicture(path);
}

}  // namespace app
