// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions that open a dialog.
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QWhatsThis>

#include "app/kinetoscope/HelpDialogs.h"
#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/PanelRegistry.h"
#include "app/kinetoscope/files/WriteFile.h"
#include "widgets/calls/CallTreeView.h"
#include "widgets/calls/FlameGraph.h"
#include "widgets/calls/TreeText.h"
#include "widgets/models/TableText.h"
#include "widgets/models/Text.h"

namespace kinetoscope::app {

namespace {

constexpr int kFieldWidth = 260;

}  // namespace

void MainWindow::openDialog() {
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open traces"), m_settings.lastFolder.value(),
        tr("Traces (*.json *.json.gz *.json.zst *.gz *.zst *.kscope *.pb *.pftrace *.perfetto-trace"
           " *.sqlite *.db *.rpd *.nsys-rep *.qdrep *.hatchet *.chrome_trace);;Sessions "
           "(*.kscopes);;Metric tables (*.csv);;All files (*)"));
    openFiles(paths);
}

void MainWindow::exportTable() {
    QString title;
    const calls::CallTreeView* tree =
        m_jobs->current() == nullptr ? m_docks->treeInFront(&title) : nullptr;
    const models::ColumnTableModel* table = tree == nullptr ? tableInFront(&title) : nullptr;
    if (table == nullptr && tree == nullptr) {
        m_errors->addMessage(
            tr("There is no table to export; open Kernels, Steps or Import log first."));
        return;
    }
    const QString path = askWhereToSave(
        *this, tr("Export table %1").arg(title),
        m_settings.lastFolder.value() + QStringLiteral("/%1.csv").arg(title.toLower()),
        {tr("CSV (*.csv)"), tr("Markdown (*.md)")});
    if (path.isEmpty()) {
        return;
    }
    const OpenPipe pipe(path);
    const bool markdown = path.endsWith(QLatin1String(".md"), Qt::CaseInsensitive);
    const auto text = [&] {
        if (tree != nullptr) {
            return markdown
                       ? calls::treeAsMarkdown(*tree)
                       : calls::treeAsCsv(*static_cast<const calls::CallTreeModel*>(tree->model()));
        }
        return markdown ? models::tableAsMarkdown(*table) : models::tableAsCsv(*table);
    };
    const QString error =
        !pipe.problem().isEmpty() ? pipe.problem() : writeFile(path, text().toUtf8());
    if (!error.isEmpty()) {
        m_errors->addMessage(error);
    }
}

void MainWindow::offerPictures() {
    m_pictures = std::make_unique<PictureExport>(
        *this, m_settings, [this](const QString& what) { m_errors->addMessage(what); });
    m_pictures->offerIn(*m_pages, tr("Timeline"));
    for (const panels::PanelEntry& entry : panelTable()) {
        m_pictures->offerIn(*m_docks->dock(QString::fromLatin1(entry.id)), tr(entry.title));
    }
    for (auto* flames : findChildren<calls::FlameGraph*>()) {
        m_pictures->offerFor(*flames, tr("Flame graph"));
    }
}

void MainWindow::savePart() {
    // A dialog before this one may have left the focus nowhere; the window knows its own.
    const QWidget* focus = QApplication::focusWidget();
    focus = focus != nullptr ? focus : focusWidget();
    for (const panels::PanelEntry& entry : panelTable()) {
        panels::Panel* panel = m_docks->panel(QString::fromLatin1(entry.id));
        if (focus != nullptr && (panel == focus || panel->isAncestorOf(focus))) {
            m_pictures->save(*panel, tr(entry.title));
            return;
        }
    }
    m_pictures->save(*m_pages->currentWidget(), tr("Timeline"));
}

void MainWindow::savePicture() {
    m_pictures->save(*this, QStringLiteral("Kinetoscope"));
}

void MainWindow::goToStep() {
    const auto& report = m_session.reports().report();
    QStringList names;
    if (report) {
        for (const analysis::Step& step : report->steps) {
            names.append(models::toText(step.name));
        }
    }
    if (names.isEmpty()) {
        m_docks->showPanel(QStringLiteral("steps"));  // it explains an empty list
        return;
    }
    QInputDialog dialog(this);
    dialog.setWindowTitle(tr("Go to step"));
    dialog.setLabelText(tr("Step"));
    dialog.setComboBoxItems(names);
    // Names of steps are short; a dialog as narrow cuts off its title.
    dialog.findChild<QComboBox*>()->setMinimumWidth(kFieldWidth);
    const bool chosen = dialog.exec() == QDialog::Accepted;
    const auto index = names.indexOf(dialog.textValue());
    if (chosen && index >= 0) {
        const analysis::Step& step = report->steps[static_cast<std::size_t>(index)];
        m_view.showStep(step.number, step.span);
    }
}

void MainWindow::startWhatsThis() {
    QWhatsThis::enterWhatsThisMode();
}

void MainWindow::showKeys() {
    showKeysDialog(*this, m_docks->actions());
}

void MainWindow::showAbout() {
    showAboutDialog(*this);
}

}  // namespace kinetoscope::app
