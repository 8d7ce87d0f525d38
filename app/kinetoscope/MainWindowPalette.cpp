// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the command palette offers.
#include <QFileInfo>
#include <algorithm>

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/PanelRegistry.h"
#include "app/kinetoscope/palette/CommandPalette.h"
#include "core/text/Format.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::app {

namespace {

constexpr qsizetype kMaxLastUsed = 20;
constexpr std::size_t kMaxSteps = 10'000;  // that are offered by their numbers
constexpr qsizetype kMaxFileLetters = 120;

QString titleOf(const QAction& action) {
    return QString(action.text()).remove(QLatin1Char('&'));
}

QString menuOf(MenuId menu) {
    switch (menu) {
        case MenuId::File:
            return MainWindow::tr("File");
        case MenuId::View:
            return MainWindow::tr("View");
        case MenuId::Theme:
            return MainWindow::tr("View › Theme");
        case MenuId::Go:
            return MainWindow::tr("Go");
        case MenuId::Help:
            return MainWindow::tr("Help");
    }
    Q_UNREACHABLE();
}

/// Of an action that is disabled.
QString whyNot(const ActionEntry& entry, const session::ViewState& view) {
    switch (entry.id) {
        case ActionId::SaveSelection:
            return !view.trace()           ? MainWindow::tr("no trace is open")
                   : view.isPartSelected() ? MainWindow::tr("the trace is still being read")
                                           : MainWindow::tr("no time is selected");
        case ActionId::Back:
            return MainWindow::tr("nothing to go back to");
        case ActionId::Forward:
            return MainWindow::tr("nothing to go forward to");
        case ActionId::CompareTimelines:
            return MainWindow::tr("no two traces are compared");
        default:
            return MainWindow::tr("no trace is open");
    }
}

PaletteEntry entryOf(QAction& action, const QString& title, const QString& detail) {
    return {action.objectName(),
            title,
            detail,
            action.shortcut().toString(QKeySequence::NativeText),
            {},
            action.icon(),
            [&action] { action.trigger(); }};
}

QString shownFile(const QString& path) {
    return style::shownText(QFileInfo(path).fileName(), kMaxFileLetters);
}

}  // namespace

std::vector<PaletteEntry> MainWindow::paletteEntries() {
    const bool inJob = m_jobs->current() != nullptr;
    std::vector<PaletteEntry> entries;
    for (const ActionEntry& entry : actionTable()) {
        QAction& found = *action(entry.id);
        if (entry.id != ActionId::Palette) {
            entries.push_back(entryOf(found, titleOf(found), menuOf(entry.menu)));
            entries.back().why = found.isEnabled() ? QString()
                                 : inJob           ? tr("a job is in front")
                                                   : whyNot(entry, m_view);
        }
    }
    for (QAction* panel : m_docks->actions()) {
        entries.push_back(
            entryOf(*panel, tr("Go to panel %1").arg(titleOf(*panel)), panel->toolTip()));
        entries.back().why = inJob ? tr("a job is in front") : QString();
        const QString id = panel->objectName().mid(qsizetype(qstrlen("show_")));
        entries.back().run = [this, id] { m_docks->showPanel(id); };
    }
    addFilesTo(entries);
    addStepsTo(entries);
    return entries;
}

void MainWindow::addFilesTo(std::vector<PaletteEntry>& entries) {
    const auto add = [&](const QString& title, const QString& path, const char* icon, auto run) {
        entries.push_back({{},
                           title,
                           style::shownText(path, kMaxFileLetters),
                           {},
                           {},
                           style::themedIcon(QString::fromLatin1(icon)),
                           run});
    };
    const auto goTo = [this](int tab) {
        return [this, tab] {
            m_tabs->setCurrentIndex(tab);
            showOneTimeline();
        };
    };
    for (const session::Run& run : m_session.runs()) {
        add(tr("Go to file %1").arg(shownFile(run.path)), run.path, "jump",
            goTo(m_session.indexOf(run.path)));
    }
    int tab = static_cast<int>(m_session.runs().size());
    for (const auto& job : m_jobs->items()) {
        add(tr("Go to job %1").arg(style::shownText(job.title, kMaxFileLetters)), {}, "jump",
            goTo(tab++));
    }
    for (const QString& path : m_settings.recentFiles.value()) {
        if (m_session.indexOf(path) < 0) {
            add(tr("Open recent %1").arg(shownFile(path)), path, "recent",
                [this, path] { openFiles({path}); });
        }
    }
}

void MainWindow::addStepsTo(std::vector<PaletteEntry>& entries) {
    const auto& report = m_session.reports().report();
    if (!report || !m_view.trace() || m_jobs->current() != nullptr) {
        return;
    }
    const std::size_t count = std::min(report->steps.size(), kMaxSteps);
    for (std::size_t i = 0; i < count; ++i) {
        const analysis::Step& step = report->steps[i];
        entries.push_back({{},
                           tr("Go to step %1").arg(step.number),
                           QString::fromStdString(text::formatDuration(step.span.duration())),
                           {},
                           {},
                           style::themedIcon(QStringLiteral("step")),
                           [this, number = step.number, span = step.span, trace = m_view.trace()] {
                               if (m_view.trace() == trace) {
                                   showOneTimeline();
                                   m_view.showStep(number, span);
                               }
                           }});
    }
}

void MainWindow::showPalette() {
    for (CommandPalette* open : findChildren<CommandPalette*>()) {
        if (open->isVisible()) {
            open->close();
            return;
        }
    }
    auto* palette = new CommandPalette(*this, paletteEntries(), m_settings.lastCommands.value());
    connect(palette, &CommandPalette::chosen, this, [this](const QString& id) {
        if (!id.isEmpty()) {
            QStringList used = m_settings.lastCommands.value();
            used.removeAll(id);
            used.prepend(id);
            m_settings.lastCommands.set(used.first(std::min(used.size(), kMaxLastUsed)));
        }
    });
    palette->open();
}

}  // namespace kinetoscope::app
