// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/SelectionPanel.h"

#include <QAction>
#include <QVBoxLayout>

#include "core/analysis/WindowScope.h"
#include "core/text/Format.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

using Model = models::AreaModel;

constexpr int kSelectionNameWidth = 480;
constexpr int kSelectionMinNameWidth = 190;
constexpr double kZoomMargin = 0.1;  // of a slice's duration, on each side

session::WindowRunner<query::AreaSummary>::Make maker(std::vector<trace::TrackId> tracks) {
    return [tracks = std::move(tracks)](const trace::Trace& trace,
                                        const analysis::WindowChoice& window,
                                        const std::stop_token& stop) -> Result<query::AreaSummary> {
        const bool isPart =
            window.kind == analysis::WindowKind::Range || window.kind == analysis::WindowKind::Step;
        if (!isPart) {
            return query::AreaSummary();
        }
        const auto span = analysis::windowSpan(trace, window);
        if (!span) {
            return tl::unexpected(span.error());
        }
        return query::summariseArea(trace, {*span, tracks, stop, 0});
    };
}

QString countText(std::uint64_t number) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(number)));
}

QString time(TimeNs ns) {
    return QString::fromStdString(text::formatDuration(ns));
}

}  // namespace

SelectionPanel::SelectionPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_runner(context.view, maker({})),
      m_table(new DataTable(m_model)),
      m_by(new QComboBox),
      m_filter(new QLineEdit),
      m_state(new QLabel),
      m_totals(new QLabel) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_table, 1);
    layout->addWidget(m_totals);
    m_totals->setObjectName(QStringLiteral("totals"));
    m_totals->setTextFormat(Qt::PlainText);
    m_totals->setContentsMargins(10, 4, 10, 4);
    m_table->setObjectName(QStringLiteral("area"));
    m_table->setWidest(Model::Name, kSelectionNameWidth);
    m_table->setYielding(Model::Name, kSelectionMinNameWidth);
    auto* longest =
        new QAction(style::themedIcon(QStringLiteral("jump")), tr("Go to the longest"), this);
    connect(longest, &QAction::triggered, this, &SelectionPanel::goToLongest);
    m_table->addAction(longest);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SelectionPanel::highlightCurrent);
    connect(m_table, &QTableView::doubleClicked, this, &SelectionPanel::goToLongest);
    connect(&m_view, &session::ViewState::rangeChanged, this,
            [this] { m_runner.setMake(maker(m_view.selectedTracks())); });
    connect(&m_runner, &session::WindowRunnerBase::changed, this, &SelectionPanel::refresh);
    connect(&m_runner, &session::WindowRunnerBase::busyChanged, this, &SelectionPanel::tellState);
    refresh();
}

QWidget* SelectionPanel::makeToolBar() {
    m_by->setObjectName(QStringLiteral("by"));
    m_by->addItems({tr("Name"), tr("Category"), tr("Row")});
    m_by->setToolTip(tr("What the table's rows are"));
    m_state->setObjectName(QStringLiteral("state"));
    QWidget* bar = makeTableBar({.choices = {titleOf(m_by, tr("Group by")), m_by,
                                             new timeline::SelectionChip(m_view, this)},
                                 .state = m_state,
                                 .filter = m_filter,
                                 .hint = tr("Filter by name")},
                                this);
    connect(m_by, &QComboBox::currentIndexChanged, this, &SelectionPanel::refresh);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model.setFilter(text);
        tellState();
    });
    return bar;
}

models::AreaGroup SelectionPanel::group() const {
    return static_cast<models::AreaGroup>(m_by->currentIndex());
}

// As rows are called everywhere.
QStringList SelectionPanel::trackLabels() const {
    if (group() != models::AreaGroup::Row || !m_view.layout() ||
        m_view.trace() != m_runner.traceOf()) {
        return {};
    }
    QStringList labels;
    for (trace::TrackId track = 0; track < m_view.trace()->tracks().size(); ++track) {
        labels += style::shownText(m_view.layout()->names.whole(track));
    }
    return labels;
}

// The selected name stays selected where the new table has it.
void SelectionPanel::refresh() {
    const QModelIndex current = m_table->currentIndex();
    const bool isName = current.isValid() && m_model.group() == models::AreaGroup::Name;
    const auto chosen = isName ? m_model.areaRow(current.row()).key : 0;
    m_refreshing = true;
    m_model.setSummary(m_runner.traceOf(), m_runner.result(), group(), trackLabels());
    const int row = isName && group() == models::AreaGroup::Name ? m_model.rowOf(chosen) : -1;
    if (row >= 0) {
        m_table->selectRow(row);
    }
    m_refreshing = false;
    tellState();
}

void SelectionPanel::tellState() {
    m_table->setEmptyText(emptyText());
    m_totals->setText(totals());
    m_totals->setVisible(!m_totals->text().isEmpty());
    const auto shown = static_cast<std::uint64_t>(m_model.rowCount());
    const std::uint64_t all = m_model.allRowCount();
    const QString rows = all == 1 ? tr("1 row") : tr("%1 rows").arg(countText(all));
    m_state->setText(m_runner.busy() ? tr("calculating…")
                     : all == 0      ? QString()
                     : shown == all  ? rows
                                     : tr("%1 of %2").arg(countText(shown), rows));
}

QString SelectionPanel::totals() const {
    const auto& result = m_runner.result();
    if (!result || result->count == 0) {
        return {};
    }
    const auto slices =
        result->count == 1 ? tr("1 slice") : tr("%1 slices").arg(countText(result->count));
    const auto rows = result->byTrack.size() == 1
                          ? tr("1 row")
                          : tr("%1 rows").arg(countText(result->byTrack.size()));
    return tr("%1 in %2, %3 in total, %4 on average, within %5")
        .arg(slices, rows, time(result->timeNs),
             time(result->timeNs / static_cast<TimeNs>(result->count)),
             time(result->span.duration()));
}

QString SelectionPanel::emptyText() const {
    if (!m_view.trace()) {
        return tr("Open a trace to select some of its time.");
    }
    if (!m_view.isPartSelected()) {
        return tr(
            "No time is selected. Drag on the time axis, or Shift+drag over rows of the timeline.");
    }
    if (!m_runner.error().isEmpty()) {
        return m_runner.error();
    }
    if (!m_runner.result()) {
        return {};
    }
    return m_model.allRowCount() == 0 ? tr("There are no slices in the selection.")
                                      : tr("No row matches the filter.");
}

void SelectionPanel::highlightCurrent() {
    if (m_refreshing) {
        return;
    }
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    const bool isName = !rows.isEmpty() && group() == models::AreaGroup::Name;
    m_view.highlightName(isName ? std::optional<NameId>(m_model.areaRow(rows[0].row()).key)
                                : std::nullopt);
}

void SelectionPanel::goToLongest() {
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid() && m_view.trace() && m_view.trace() == m_runner.traceOf()) {
        const trace::SliceId slice = m_model.areaRow(current.row()).longest;
        m_view.select(slice);
        m_view.zoomTo(m_view.trace()->span(slice), kZoomMargin);
    }
}

}  // namespace kinetoscope::panels
