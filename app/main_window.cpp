#include "app/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QStyleHints>
#include <QVBoxLayout>

#include "app/panels.h"
#include "views/theme.h"

namespace app {

using views::Document;

namespace {

constexpr int messageMs = 10000;
constexpr int retryMs = 200;

QWidget* makeEmptyTitle(QWidget* parent) {
    auto* title = new QWidget(parent);
    title->setLayout(new QHBoxLayout);
    title->layout()->setContentsMargins(0, 0, 0, 0);
    return title;
}

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
    setWindowTitle("Opscope");
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    setTabPosition(Qt::LeftDockWidgetArea, QTabWidget::North);
    setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);

    auto* centre = new QWidget(this);
    tabs_ = new QTabBar(centre);
    tabs_->setDocumentMode(true);
    tabs_->setTabsClosable(true);
    tabs_->setMovable(false);
    tabs_->setAutoHide(true);
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Open models"));
    pages_ = new QStackedWidget(centre);
    start_ = new StartPage(centre);
    pages_->addWidget(start_);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(tabs_);
    column->addWidget(pages_, 1);
    setCentralWidget(centre);
    runBar_ = new RunBar(this);
    status_ = new StatusLine(this);
    setStatusBar(status_);

    buildActions();
    buildDocks();
    buildMenus();
    buildToolBar();
    connect(tabs_, &QTabBar::currentChanged, this, &MainWindow::showPage);
    connect(tabs_, &QTabBar::tabCloseRequested, this, &MainWindow::closePage);
    connect(start_, &StartPage::openClicked, this, &MainWindow::chooseFile);
    connect(start_, &StartPage::sampleClicked, this, &MainWindow::openSample);
    connect(start_, &StartPage::fileClicked, this, &MainWindow::openFile);
    showPage(-1);
}

DocumentPage* MainWindow::openFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    for (int index = 1; index < pages_->count(); ++index) {
        auto* page = static_cast<DocumentPage*>(pages_->widget(index));
        if (page->document()->path() != absolute) continue;
        tabs_->setCurrentIndex(index - 1);
        return page;
    }
    auto* page = new DocumentPage(std::make_unique<Document>(absolute), pages_);
    connectPage(page);
    pages_->addWidget(page);
    const int tab = tabs_->addTab(page->document()->title());
    tabs_->setTabToolTip(tab, absolute);
    tabs_->setCurrentIndex(tab);
    showPage(tab);
    page->document()->open();
    return page;
}

void MainWindow::connectPage(DocumentPage* page) {
    page->setWorkspace(workspace_);
    page->graph()->setColourBy(colourBy_);
    page->graph()->canvas()->setWheelZooms(Settings::wheelZooms());
    connect(page->graph(), &views::GraphView::matchesChanged, this, &MainWindow::showMatches);
    connect(page->document(), &Document::reportSaved, this,
            [this](const QString& path) { status_->showMessage(tr("Written: %1").arg(path), messageMs); });
    connect(page->graph(), &views::GraphView::pictureSaved, this,
            [this](const QString& path) { status_->showMessage(tr("Written: %1").arg(path), messageMs); });
    connect(page->graph(), &views::GraphView::pictureFailed, this,
            [this](const QString& message) { status_->showMessage(message, messageMs); });
    connect(page->document(), &Document::failed, this, [this](views::Task task, const QString& message) {
        if (task == views::Task::report || task == views::Task::plan)
            status_->showMessage(message, messageMs);
    });
    connect(page->document(), &Document::opened, this, [this, page] {
        Settings::addRecentFile(page->document()->path());
        fillRecentMenu();
    });
}

DocumentPage* MainWindow::currentPage() const { return qobject_cast<DocumentPage*>(pages_->currentWidget()); }

// Pages stand in the order of their tabs, after the start page.
void MainWindow::showPage(int index) {
    pages_->setCurrentIndex(index + 1);
    DocumentPage* page = currentPage();
    Document* document = page == nullptr ? nullptr : page->document();
    if (page != nullptr) page->setWorkspace(workspace_);
    runBar_->setDocument(document);
    status_->setDocument(document);
    for (views::Panel* panel : panels_) panel->setDocument(document);
    for (const auto& [id, action] : actions_) {
        if (action->property("needsDocument").toBool()) action->setEnabled(document != nullptr);
    }
    search_->setEnabled(document != nullptr);
    if (page == nullptr) start_->refresh();
    showMatches();
    refreshTitle();
}

void MainWindow::closePage(int index) {
    QWidget* page = pages_->widget(index + 1);
    if (page == nullptr || index < 0) return;
    // Nothing may hold the document when it goes.
    for (views::Panel* panel : panels_) panel->setDocument(nullptr);
    runBar_->setDocument(nullptr);
    status_->setDocument(nullptr);
    pages_->removeWidget(page);
    delete page;
    tabs_->removeTab(index);
    showPage(tabs_->currentIndex());
}

void MainWindow::refreshTitle() {
    const DocumentPage* page = currentPage();
    setWindowTitle(page == nullptr
                       ? QString("Opscope")
                       : QFileInfo(const_cast<DocumentPage*>(page)->document()->path()).fileName() +
                             " — Opscope");
}

void MainWindow::setWorkspace(Workspace workspace) {
    const auto& info = workspaces[static_cast<size_t>(workspace)];
    actions_.at(QString("workspace.") + info.id)->setChecked(true);
    if (workspace == workspace_) return;
    saveLayout();
    workspace_ = workspace;
    if (DocumentPage* page = currentPage()) page->setWorkspace(workspace);
    restoreLayout();
}

void MainWindow::setColourBy(views::ColourBy colourBy) {
    colourBy_ = colourBy;
    for (int index = 1; index < pages_->count(); ++index) {
        static_cast<DocumentPage*>(pages_->widget(index))->graph()->setColourBy(colourBy);
    }
    for (QAction* action : colourGroup_->actions()) {
        if (action->data().toInt() == static_cast<int>(colourBy)) action->setChecked(true);
    }
}

void MainWindow::setTheme(Theme theme) {
    Settings::setTheme(theme);
    static const QPalette systemPalette = QApplication::palette();
    const bool isDark = theme == Theme::dark ||
                        (theme == Theme::system && systemPalette.color(QPalette::Window).lightness() < 128);
    const views::Colours& colours = isDark ? views::darkColours() : views::lightColours();
    QApplication::setPalette(views::applicationPalette(colours));
    qApp->setStyleSheet(views::applicationStyleSheet(colours));
}

QAction* MainWindow::action(const QString& id) const {
    const auto found = actions_.find(id);
    return found == actions_.end() ? nullptr : found->second;
}

QDockWidget* MainWindow::dock(const QString& panel) const {
    const auto found = docks_.find(panel);
    return found == docks_.end() ? nullptr : found->second;
}

void MainWindow::buildDocks() {
    titles_ = new QTimer(this);
    titles_->setSingleShot(true);
    connect(titles_, &QTimer::timeout, this, &MainWindow::refreshDockTitles);
    for (const PanelRow& row : panelTable()) {
        auto* dock = new QDockWidget(tr(row.title), this);
        dock->setObjectName(row.id);
        views::Panel* panel = row.make(dock);
        panel->setAccessibleName(tr(row.title));
        dock->setWidget(panel);
        panels_.push_back(panel);
        docks_[row.id] = dock;
        addDockWidget(row.area, dock);
        for (const auto signal : {&QDockWidget::visibilityChanged, &QDockWidget::topLevelChanged}) {
            connect(dock, signal, titles_, [titles = titles_] { titles->start(); });
        }
    }
    arrangeDocks();
}

// Where a tab says what a dock is, its title would say it again.
void MainWindow::refreshDockTitles() {
    // A title must not go while it is dragged.
    if (QGuiApplication::mouseButtons() != Qt::NoButton) return titles_->start(retryMs);
    titles_->setInterval(0);
    for (const auto& [id, dock] : docks_) {
        const bool isTab = !dock->isFloating() && !tabifiedDockWidgets(dock).isEmpty();
        QWidget* title = dock->titleBarWidget();
        if (isTab == (title != nullptr)) continue;
        dock->setTitleBarWidget(isTab ? makeEmptyTitle(dock) : nullptr);
        delete title;
    }
}

void MainWindow::arrangeDocks() {
    const auto which = static_cast<size_t>(workspace_);
    QList<QDockWidget*> bottom;
    for (const PanelRow& row : panelTable()) {
        QDockWidget* dock = docks_.at(row.id);
        dock->setFloating(false);
        addDockWidget(row.area, dock);
        if (*row.tabbedWith != '\0') tabifyDockWidget(docks_.at(row.tabbedWith), dock);
        dock->setVisible(row.isIn[which]);
        if (row.area == Qt::BottomDockWidgetArea) bottom << dock;
    }
    for (const PanelRow& row : panelTable()) {
        if (*row.tabbedWith == '\0' && row.isIn[which]) docks_.at(row.id)->raise();
    }
    QList<QDockWidget*> columns;
    QList<int> widths;
    for (const PanelRow& row : panelTable()) {
        if (row.area == Qt::BottomDockWidgetArea) continue;
        columns << docks_.at(row.id);
        widths << (row.area == Qt::LeftDockWidgetArea ? 240 : 330);
    }
    resizeDocks(columns, widths, Qt::Horizontal);
    if (!bottom.isEmpty()) resizeDocks({bottom.first()}, {280}, Qt::Vertical);
}

void MainWindow::saveLayout() {
    if (!hasLayout_) return;
    Settings::setValue(QString("layout/") + workspaces[static_cast<size_t>(workspace_)].id, saveState());
}

void MainWindow::restoreLayout() {
    if (!hasLayout_) return;
    const QByteArray state =
        Settings::value(QString("layout/") + workspaces[static_cast<size_t>(workspace_)].id);
    if (state.isEmpty() || !restoreState(state)) arrangeDocks();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (hasLayout_) return;
    hasLayout_ = true;
    restoreLayout();
}

void MainWindow::restoreSettings() {
    const QByteArray geometry = Settings::value("geometry");
    if (!geometry.isEmpty()) restoreGeometry(geometry);
    setTheme(Settings::theme());
    if (const auto workspace = workspaceNamed(Settings::value("workspace"))) setWorkspace(*workspace);
    const int colourBy = Settings::value("colourBy").toInt();
    if (colourBy >= 0 && colourBy <= static_cast<int>(views::ColourBy::heat))
        setColourBy(static_cast<views::ColourBy>(colourBy));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveLayout();
    Settings::setValue("geometry", saveGeometry());
    Settings::setValue("workspace", workspaces[static_cast<size_t>(workspace_)].id);
    Settings::setValue("colourBy", QByteArray::number(static_cast<int>(colourBy_)));
    while (tabs_->count() > 0) closePage(0);
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) openFile(url.toLocalFile());
    }
    event->acceptProposedAction();
}

QString samplePath() {
    const QDir program(QCoreApplication::applicationDirPath());
    for (const char* place : {"../share/opscope/digits.onnx", "../../../resources/sample/digits.onnx",
                              "../../resources/sample/digits.onnx"}) {
        if (program.exists(place)) return QDir::cleanPath(program.absoluteFilePath(place));
    }
    return {};
}

}  // namespace app
