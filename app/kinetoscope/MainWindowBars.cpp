// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, tool bar and status bar.
#include <QActionGroup>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <map>

#include "app/kinetoscope/MainWindow.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::app {

void MainWindow::buildMenus() {
    const std::map<MenuId, QMenu*> menus = [this] {
        QMenu* file = menuBar()->addMenu(tr("&File"));
        QMenu* view = menuBar()->addMenu(tr("&View"));
        QMenu* go = menuBar()->addMenu(tr("&Go"));
        QMenu* help = menuBar()->addMenu(tr("&Help"));
        auto* theme = new QMenu(tr("&Theme"), view);
        theme->setIcon(style::themedIcon(QStringLiteral("theme")));
        return std::map<MenuId, QMenu*>{{MenuId::File, file},
                                        {MenuId::View, view},
                                        {MenuId::Theme, theme},
                                        {MenuId::Go, go},
                                        {MenuId::Help, help}};
    }();
    menus.at(MenuId::View)->addActions(m_docks->actions());
    auto* themes = new QActionGroup(this);
    for (const ActionEntry& entry : actionTable()) {
        QMenu* menu = menus.at(entry.menu);
        if (entry.separatorBefore) {
            menu->addSeparator();
        }
        menu->addAction(action(entry.id));
        if (entry.id == ActionId::Open) {
            m_recentMenu =
                menu->addMenu(style::themedIcon(QStringLiteral("recent")), tr("Open &recent"));
        }
        if (entry.menu == MenuId::Theme) {
            action(entry.id)->setCheckable(true);
            themes->addAction(action(entry.id));
        }
    }
    menus.at(MenuId::View)->addSeparator();
    menus.at(MenuId::View)->addMenu(menus.at(MenuId::Theme));
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    const style::ThemeChoice theme = themeFromName(m_settings.theme.value());
    action(theme == style::ThemeChoice::Light  ? ActionId::ThemeLight
           : theme == style::ThemeChoice::Dark ? ActionId::ThemeDark
                                               : ActionId::ThemeSystem)
        ->setChecked(true);
}

void MainWindow::buildToolBar() {
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(20, 20));
    bar->addAction(action(ActionId::Open));
    bar->addAction(action(ActionId::Record));
    bar->addSeparator();
    for (const ActionId id :
         {ActionId::Back, ActionId::Forward, ActionId::Fit, ActionId::ZoomIn, ActionId::ZoomOut}) {
        bar->addAction(action(id));
    }
    bar->addSeparator();
    bar->addAction(action(ActionId::GoToStep));
    bar->addAction(action(ActionId::ExportTable));
    bar->addAction(action(ActionId::SaveScreenshot));
    auto* space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    bar->addWidget(m_search);
    bar->addAction(action(ActionId::FindPrevious));
    bar->addAction(action(ActionId::FindNext));
    bar->addSeparator();
    bar->addAction(action(ActionId::Keys));
    setContextMenuPolicy(Qt::NoContextMenu);
    connect(m_search, &SearchBar::left, this, [this] { m_timeline->setFocus(); });
    connect(m_search, &SearchBar::listRequested, this,
            [this] { m_docks->bringForward(QStringLiteral("find")); });
    connect(&m_view, &session::ViewState::panelRequested, m_docks.get(), &Docks::showPanel);
    connect(&m_view, &session::ViewState::findRequested, this, [this](const QString& pattern) {
        m_session.find().setText(pattern);
        m_docks->bringForward(QStringLiteral("find"));
    });
}

void MainWindow::buildStatusBar() {
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(8, 0, 8, 0);
    m_status = new StatusLine(m_session, statusBar());
    statusBar()->addWidget(m_status, 1);
    for (panels::DataTable* table : findChildren<panels::DataTable*>()) {
        m_status->follow(*table);
    }
}

void MainWindow::fillRecentMenu() {
    m_recentMenu->clear();
    for (const QString& path : m_settings.recentFiles.value()) {
        m_recentMenu
            ->addAction(style::plainActionText(path), this, [this, path] { openFiles({path}); })
            ->setToolTip(style::plainToolTip(path));
    }
    if (m_recentMenu->isEmpty()) {
        m_recentMenu->addAction(tr("(none yet)"))->setEnabled(false);
    }
}

}  // namespace kinetoscope::app
