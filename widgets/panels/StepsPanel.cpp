// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/StepsPanel.h"

#include <QVBoxLayout>

namespace kinetoscope::panels {

StepsPanel::StepsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_session(context.session),
      m_view(context.view),
      m_table(new DataTable(m_model, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    connect(m_table, &QTableView::doubleClicked, this, &StepsPanel::goTo);
    connect(&m_session.reports(), &session::ReportRunner::reportChanged, this,
            &StepsPanel::refresh);
    connect(&m_session.reports(), &session::ReportRunner::busyChanged, this,
            &StepsPanel::tellEmpty);
    refresh();
}

void StepsPanel::refresh() {
    const session::ReportRunner& reports = m_session.reports();
    m_model.setReport(reports.traceOf(), reports.report());
    tellEmpty();
}

void StepsPanel::tellEmpty() {
    const session::ReportRunner& reports = m_session.reports();
    m_table->setEmptyText(!m_view.trace()  ? tr("Open a trace to see its steps.")
                          : reports.busy() ? tr("Looking for steps…")
                          : reports.report()
                              ? tr("This trace has no steps. They come from profiler.step() or "
                                   "from numbered annotations, such as “train#1”, “train#2”.")
                              : reports.error());
}

void StepsPanel::goTo(const QModelIndex& index) {
    const analysis::Step& step = m_model.step(index.row());
    m_view.showStep(step.number, step.span);
}

}  // namespace kinetoscope::panels
