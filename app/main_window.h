#pragma once

#include <map>
#include <vector>

#include <QActionGroup>
#include <QLineEdit>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>

#include "app/document_page.h"
#include "app/run_bar.h"
#include "app/settings.h"
#include "app/start_page.h"
#include "app/status_line.h"
#include "views/panel.h"

namespace app {

/// The window: tabs of documents, one frame of three workspaces around the current one.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);

    /// Opens the file in a new tab, or goes to the tab where it is open. The page lives until it is closed.
    DocumentPage* openFile(const QString& path);
    DocumentPage* currentPage() const;
    void setWorkspace(Workspace workspace);
    Workspace workspace() const { return workspace_; }
    void setColourBy(views::ColourBy colourBy);
    void setTheme(Theme theme);
    /// As it was when the last window closed: place, workspace, colours, theme.
    void restoreSettings();
    /// The action of that id, or null: what shortcuts and tests go by.
    QAction* action(const QString& id) const;
    QDockWidget* dock(const QString& panel) const;

    QSize sizeHint() const override { return {1280, 820}; }

protected:
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct ActionRow;

    void buildActions();
    void buildMenus();
    void buildToolBar();
    void buildDocks();
    QAction* add(const ActionRow& row);
    void connectPage(DocumentPage* page);
    void showPage(int index);
    void closePage(int index);
    void refreshTitle();
    void fillRecentMenu();
    void arrangeDocks();
    void refreshDockTitles();
    void restoreLayout();
    void saveLayout();

    void chooseFile();
    void openSample();
    void reload();
    void chooseCustomOperators();
    void goTo();
    void find();
    void showMatches();
    void showShortcuts();
    void showPalette();
    void exportPicture();
    void exportReport();
    void escape();
    void forGraph(const std::function<void(views::GraphView&)>& action);

    Workspace workspace_ = Workspace::graph;
    bool hasLayout_ = false;  ///< docks have their places; that takes a window with a size
    views::ColourBy colourBy_ = views::ColourBy::provider;
    std::map<QString, QAction*> actions_;
    std::map<QString, QDockWidget*> docks_;
    std::vector<views::Panel*> panels_;
    QTimer* titles_;  ///< lives as long as the docks, longer than the members
    QTabBar* tabs_;
    QStackedWidget* pages_;
    StartPage* start_;
    RunBar* runBar_;
    QLineEdit* search_ = nullptr;
    QLabel* matches_ = nullptr;
    QActionGroup* colourGroup_ = nullptr;
    QMenu* recent_ = nullptr;
    StatusLine* status_;
};

/// Where the sample model lies: beside the program, or in the installation.
QString samplePath();

}  // namespace app
