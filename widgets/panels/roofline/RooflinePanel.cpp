// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/roofline/RooflinePanel.h"

#include <QAction>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/Threads.h"
#include "core/report/RooflineTable.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

constexpr int kChartWidth = 360;
constexpr int kTableWidth = 920;
constexpr int kNameWidth = 320;
constexpr int kMinNameWidth = 140;
constexpr int kShapesWidth = 240;
constexpr std::size_t kUncoveredNamed = 10;
constexpr QLatin1String kMeasured("measured");

}  // namespace

RooflinePanel::RooflinePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_settings(context.settings),
      m_finder(session::AchievedFinder::of(context.view)),
      m_runner(context.view, maker(m_finder)),
      m_emphasiser(context.view),
      m_chart(new plots::RooflineChart),
      m_table(new DataTable(m_model)),
      m_by(new QComboBox),
      m_roof(new QComboBox),
      m_state(new QLabel),
      m_filter(new QLineEdit) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(
        sideBySide({m_chart, kChartWidth}, {m_table, kTableWidth}, GrowingPane::Right), 1);
    m_table->setObjectName(QStringLiteral("rooflineRows"));
    const int name = m_model.columnOf("name");
    m_table->setWidest(name, kNameWidth);
    m_table->setWidest(m_model.columnOf("shapes"), kShapesWidth);
    m_table->setYielding(name, kMinNameWidth);
    auto* longest =
        new QAction(style::themedIcon(QStringLiteral("jump")), tr("Go to the longest"), this);
    m_table->addAction(longest);
    const auto goToCurrent = [this] {
        if (const QModelIndex current = m_table->currentIndex(); current.isValid()) {
            goTo(m_model.sourceRow(current.row()));
        }
    };
    connect(longest, &QAction::triggered, this, goToCurrent);
    connect(m_table, &QTableView::doubleClicked, this, goToCurrent);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RooflinePanel::followTable);
    connect(m_chart, &plots::RooflineChart::rowClicked, this, [this](std::uint32_t row) {
        chooseRows({row});
        goTo(row);
    });
    connect(m_chart, &plots::RooflineChart::rowsFramed, this, &RooflinePanel::chooseRows);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &RooflinePanel::tellState);
    connect(&m_runner, &session::WindowRunnerBase::changed, this, &RooflinePanel::refresh);
    connect(&m_runner, &session::WindowRunnerBase::busyChanged, this, &RooflinePanel::tellState);
    refresh();
}

session::WindowRunner<RooflinePanel::Found>::Make RooflinePanel::maker(
    const session::AchievedFinder& finder) {
    return [shared = finder.calls(), roof = finder.roof()](
               const trace::Trace& trace, const analysis::WindowChoice& window,
               const std::stop_token& stop) -> Result<Found> {
        auto calls = shared->of(trace, window, stop);
        if (!calls) {
            return tl::unexpected(calls.error());
        }
        const std::vector<model::GpuRoof> measured = session::roofsOf(roof);
        Found found;
        for (std::size_t by = 0; by < found.rooflines.size(); ++by) {
            throwIfStopped(stop);
            found.rooflines[by] =
                model::makeRoofline(trace, **calls, static_cast<model::RooflineBy>(by), measured);
        }
        found.calls = *std::move(calls);
        return found;
    };
}

QWidget* RooflinePanel::makeToolBar() {
    m_by->setObjectName(QStringLiteral("by"));
    m_by->addItems({tr("Operator"), tr("Shape"), tr("Kernel"), tr("Module")});
    m_by->setToolTip(tr("What a row and a point are"));
    m_roof->setObjectName(QStringLiteral("roof"));
    m_roof->addItem(tr("Data sheet"), QStringLiteral("table"));  // as kscope report calls them
    m_roof->addItem(tr("Measured here"), kMeasured);
    m_roof->setToolTip(
        tr("Roof to compare with: the GPU's data sheet, or rates measured by 'kscope bench roof' "
           "on this machine. Also used by the strip above the timeline and the columns in Kernels "
           "and Operators"));
    m_state->setObjectName(QStringLiteral("state"));
    QWidget* bar =
        makeTableBar({.choices = {titleOf(m_by, tr("Rows by")), m_by, titleOf(m_roof, tr("Roof")),
                                  m_roof, new timeline::SelectionChip(m_view, this)},
                      .state = m_state,
                      .filter = m_filter,
                      .hint = tr("Filter by name or shapes")},
                     this);
    connect(m_by, &QComboBox::currentIndexChanged, this, &RooflinePanel::refresh);
    connect(m_roof, &QComboBox::currentIndexChanged, this, &RooflinePanel::chooseRoof);
    m_roof->setCurrentIndex(std::max(0, m_roof->findData(m_settings.roof.value())));
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model.setFilter(text);
        tellState();
    });
    return bar;
}

void RooflinePanel::chooseRoof() {
    const QString roof = m_roof->currentData().toString();
    m_settings.roof.set(roof);
    m_finder.setRoof(roof == kMeasured ? session::RoofKind::Measured : session::RoofKind::Maker);
    m_runner.setMake(maker(m_finder));
}

bool RooflinePanel::lacksMeasured() const {
    const auto roofline = shown();
    return m_finder.roof() == session::RoofKind::Measured && roofline &&
           std::ranges::any_of(roofline->roofs, [](const model::DeviceRoof& roof) {
               return !roof.measured && !roof.device.empty();
           });
}

std::shared_ptr<const model::Roofline> RooflinePanel::shown() const {
    const auto& found = m_runner.result();
    return found ? std::shared_ptr<const model::Roofline>(
                       found, &found->rooflines[static_cast<std::size_t>(m_by->currentIndex())])
                 : nullptr;
}

void RooflinePanel::refresh() {
    {
        const QScopedValueRollback own(m_choosing, true);
        m_model.setRoofline(shown());
        m_table->clearSelection();
    }
    m_emphasiser.end();
    const bool byShape = m_by->currentIndex() == static_cast<int>(model::RooflineBy::Shape);
    m_table->setColumnHidden(m_model.columnOf("shapes"), !byShape);
    const bool measured = shown() && report::hasMeasured(*shown());
    for (const char* key : {"measured_gb_per_s", "modelled_by_measured"}) {
        m_table->setColumnHidden(m_model.columnOf(key), !measured);
    }
    m_chart->setRoofline(shown(), emptyText());
    tellState();
}

void RooflinePanel::tellState() {
    m_table->setEmptyText(emptyText());
    const auto roofline = shown();
    QString text;
    QString tip;
    if (m_runner.busy()) {
        text = tr("reading shapes…");
    } else if (roofline && roofline->kernelNs > 0) {
        text = models::toText(report::coverageLine(*roofline));
        if (lacksMeasured()) {
            text = tr("no measured roof of this GPU is saved; using the data sheet · %1").arg(text);
            tip = tr("'kscope bench roof' measures it.") + QLatin1Char('\n');
        }
        for (const model::DeviceRoof& roof : roofline->roofs) {
            tip += models::toText(report::roofLine(roof)) + QLatin1Char('\n');
        }
        if (!roofline->uncovered.empty()) {
            tip += tr("Not modelled: %1")
                       .arg(models::toText(report::uncoveredLine(*roofline, kUncoveredNamed)));
        }
    }
    m_state->setText(text);
    m_state->setToolTip(style::plainToolTip(tip.trimmed()));
}

QString RooflinePanel::emptyText() const {
    if (!m_view.trace()) {
        return tr("Open a trace to see how close its operators came to the GPU's limits.");
    }
    if (!m_runner.error().isEmpty()) {
        return m_runner.error();
    }
    const auto roofline = shown();
    if (!roofline) {
        return {};
    }
    if (roofline->kernelNs == 0) {
        return tr("No kernel ran in this window.");
    }
    return roofline->rows.empty()
               ? tr("No operator in this window has shapes; record with record_shapes=True.")
           : m_model.rowCount() == 0 && !m_model.filter().isEmpty()
               ? tr("No row matches the filter.")
               : tr("No row has both operations and bytes.");
}

void RooflinePanel::followTable() {
    if (m_choosing) {
        return;
    }
    std::vector<std::uint32_t> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        rows.push_back(m_model.sourceRow(index.row()));
    }
    m_chart->setChosen(rows);
    emphasise(rows);
}

// As if they had been chosen in the table; those that its filter hides stand out all the same.
void RooflinePanel::chooseRows(const std::vector<std::uint32_t>& rows) {
    {
        const QScopedValueRollback own(m_choosing, true);
        QItemSelection selection;
        for (const std::uint32_t row : rows) {
            if (const int place = m_model.shownRow(row); place >= 0) {
                const QModelIndex index = m_model.index(place, 0);
                selection.select(index, index);
            }
        }
        m_table->selectionModel()->select(
            selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        if (!selection.isEmpty()) {
            m_table->scrollTo(selection.indexes().front());
        }
    }
    m_chart->setChosen(rows);
    emphasise(rows);
}

void RooflinePanel::emphasise(const std::vector<std::uint32_t>& rows) {
    const auto roofline = shown();
    if (rows.empty() || !roofline || m_runner.traceOf() != m_view.trace()) {
        m_emphasiser.end();
        return;
    }
    m_emphasiser.emphasise([found = m_runner.result(), roofline, rows](const trace::Trace& trace,
                                                                       const std::stop_token&) {
        std::vector<bool> wanted(roofline->rows.size(), false);
        for (const std::uint32_t row : rows) {
            wanted[row] = true;
        }
        session::Emphasiser::Slices slices;
        for (std::size_t i = 0; i < found->calls->operations.size(); ++i) {
            const std::uint32_t row = roofline->rowOfOperation[i];
            if (row != model::kNoRow && wanted[row]) {
                slices.push_back(trace.gpuOperations()[found->calls->operations[i]].slice);
            }
        }
        return slices;
    });
}

void RooflinePanel::goTo(std::uint32_t row) {
    const auto roofline = shown();
    if (roofline && row < roofline->rows.size() && m_view.trace() == m_runner.traceOf() &&
        roofline->rows[row].longest != trace::kNoSlice) {
        m_view.select(roofline->rows[row].longest);
        m_view.reveal(roofline->rows[row].longest);
    }
}

}  // namespace kinetoscope::panels
