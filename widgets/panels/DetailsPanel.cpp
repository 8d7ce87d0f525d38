// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/DetailsPanel.h"

#include <QAction>
#include <QHeaderView>
#include <QVBoxLayout>

#include "widgets/models/details/GapLines.h"
#include "widgets/models/details/MarkLines.h"
#include "widgets/session/IdleFinder.h"
#include "widgets/session/path/PathFinder.h"
#include "widgets/style/Breakable.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

namespace {

constexpr int kCellMargins = 16;  // both sides
constexpr int kMaxProseLines = 8;

}  // namespace

DetailsPanel::DetailsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_session(context.session),
      m_view(&context.view),
      m_idle(&session::IdleFinder::of(context.view)),
      m_paths(&session::PathFinder::of(context.view)),
      m_table(new DataTable(m_model, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    m_table->setSortingEnabled(false);
    m_table->setLastColumnElides();
    m_table->setWidest(models::DetailsModel::Label, 150);
    m_table->horizontalHeader()->hide();
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this,
            &DetailsPanel::fitProse);
    auto* calls = new QAction(style::themedIcon(QStringLiteral("calltree")),
                              tr("Show in the call tree"), this);
    connect(calls, &QAction::triggered, this, &DetailsPanel::showCalls);
    m_table->addAction(calls);
    auto* bench = new QAction(tr("Bench this operator"), this);
    bench->setObjectName(QStringLiteral("benchOperator"));
    connect(bench, &QAction::triggered, this, [this] { m_view->askForBench(chosenSlice()); });
    m_table->addAction(bench);
    connect(m_table, &QTableView::clicked, this, &DetailsPanel::follow);
    connect(&m_session, &session::Session::viewInUseChanged, this, &DetailsPanel::followView);
    followView();
}

void DetailsPanel::followView() {
    m_view->disconnect(this);
    m_idle->disconnect(this);
    m_paths->disconnect(this);
    m_view = &m_session.viewInUse();
    m_idle = &session::IdleFinder::of(*m_view);
    m_paths = &session::PathFinder::of(*m_view);
    connect(m_view, &session::ViewState::traceChanged, this, &DetailsPanel::refresh);
    connect(m_view, &session::ViewState::selectionChanged, this, &DetailsPanel::refresh);
    connect(m_idle, &session::IdleFinder::found, this, [this] {
        if (std::holds_alternative<session::SelectedGap>(m_view->selection())) {
            refresh();
        }
    });
    connect(m_paths, &session::PathFinder::changed, this, [this] {
        if (m_view->selected() != trace::kNoSlice) {
            refresh();
        }
    });
    refresh();
}

// The slack, once the critical path has been requested.
std::vector<models::DetailLine> DetailsPanel::sliceLines(trace::SliceId slice) {
    session::TraceLayout& layout = *m_view->layout();
    std::vector<models::DetailLine> lines = models::detailLines(layout.lanes, layout.marks, slice);
    const auto& shown = m_paths->shown();
    if (!shown || shown->trace != m_view->trace()) {
        return lines;
    }
    if (const auto slack = shown->slackOf(slice)) {
        models::heading(lines, "Critical path");
        models::add(lines, "Step", QString::number(shown->found->path.number));
        models::add(lines, "Slack",
                    *slack == 0 ? tr("none: if it took longer, so would the step")
                                : models::exactTime(*slack));
    }
    return lines;
}

std::vector<models::DetailLine> DetailsPanel::lines() {
    if (!m_view->trace()) {
        return {};
    }
    const session::Selection& selection = m_view->selection();
    if (const auto* selected = std::get_if<session::SelectedGap>(&selection)) {
        m_idle->want();
        const session::TraceGaps* gaps = m_idle->gaps();
        const analysis::NamedGap* gap = gaps != nullptr ? gaps->find(*selected) : nullptr;
        return gap != nullptr ? models::gapLines(*m_view->trace(), *gap)
                              : std::vector<models::DetailLine>();
    }
    session::TraceLayout& layout = *m_view->layout();
    if (const auto* selected = std::get_if<session::SelectedInstant>(&selection)) {
        return models::instantLines(layout.lanes, selected->instant);
    }
    if (const auto* selected = std::get_if<session::SelectedSample>(&selection)) {
        return models::sampleLines(layout.lanes, layout.marks, selected->sample);
    }
    return m_view->selected() == trace::kNoSlice ? std::vector<models::DetailLine>()
                                                 : sliceLines(m_view->selected());
}

void DetailsPanel::refresh() {
    m_model.setLines(lines());
    m_table->setEmptyText(
        m_view->trace()
            ? tr("Click a slice in the timeline to see its times, what launched it and its "
                 "arguments, or a GPU gap to see why the GPU was idle.")
            : tr("Open a trace to see everything about its slices and GPU gaps."));
    m_table->clearSpans();
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (m_model.line(row).heading) {
            m_table->setSpan(row, models::DetailsModel::Label, 1, m_model.columnCount());
        }
    }
    fitProse();
    m_table->scrollToTop();
}

// A sentence or a name is read whole: its row is as high as its lines, up to a few.
void DetailsPanel::fitProse() {
    const int width = m_table->columnWidth(models::DetailsModel::Value) - kCellMargins;
    const int single = m_table->verticalHeader()->defaultSectionSize();
    for (int row = 0; row < m_model.rowCount(); ++row) {
        int height = single;
        if (m_model.line(row).prose) {
            const QRect text =
                m_table->fontMetrics().boundingRect(QRect(0, 0, width, 1'000), Qt::TextWordWrap,
                                                    style::breakable(m_model.line(row).value));
            const int lines = qMin(text.height(), kMaxProseLines * m_table->fontMetrics().height());
            height = lines <= m_table->fontMetrics().height() ? single : lines + kCellMargins;
        }
        m_table->setRowHeight(row, height);  // another line stood here before
    }
}

// The target of the line, else the selection.
trace::SliceId DetailsPanel::chosenSlice() const {
    const QModelIndex current = m_table->currentIndex();
    const trace::SliceId linked =
        current.isValid() ? session::sliceOf(m_model.line(current.row()).link) : trace::kNoSlice;
    return linked != trace::kNoSlice ? linked : m_view->selected();
}

void DetailsPanel::showCalls() {
    const trace::SliceId slice = chosenSlice();
    if (m_view->trace() && slice != trace::kNoSlice) {
        m_view->askForCalls(m_view->trace()->nameId(slice));
    }
}

void DetailsPanel::follow(const QModelIndex& index) {
    const QVariant link = index.data(models::LinkRole);
    if (index.column() == models::DetailsModel::Value && link.isValid()) {
        const auto target = link.value<session::Selection>();
        m_view->setSelection(target);
        m_view->reveal(target);
    }
}

}  // namespace kinetoscope::panels
