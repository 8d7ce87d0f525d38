// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/DetailsPanel.h"

#include <QHeaderView>
#include <QVBoxLayout>

namespace kinetoscope::panels {

DetailsPanel::DetailsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent), m_view(context.view), m_table(new DataTable(m_model, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    m_table->setSortingEnabled(false);
    m_table->setLastColumnElides();
    m_table->setWidest(models::DetailsModel::Label, 150);
    m_table->horizontalHeader()->hide();
    m_table->setEmptyText(
        tr("Click a slice in the timeline to see its times, what launched it and all of its "
           "arguments."));
    connect(m_table, &QTableView::clicked, this, &DetailsPanel::follow);
    connect(&m_view, &session::ViewState::traceChanged, this, &DetailsPanel::refresh);
    connect(&m_view, &session::ViewState::selectionChanged, this, &DetailsPanel::refresh);
    refresh();
}

void DetailsPanel::refresh() {
    if (!m_view.trace() || m_view.selected() == trace::kNoSlice) {
        m_model.setLines({});
        return;
    }
    m_model.setLines(models::detailLines(m_view.layout()->lanes, m_view.selected()));
    m_table->clearSpans();
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (m_model.line(row).heading) {
            m_table->setSpan(row, models::DetailsModel::Label, 1, m_model.columnCount());
        }
    }
    m_table->scrollToTop();
}

void DetailsPanel::follow(const QModelIndex& index) {
    const QVariant link = index.data(models::LinkRole);
    if (index.column() == models::DetailsModel::Value && link.isValid()) {
        const trace::SliceId slice = link.toUInt();
        m_view.select(slice);
        m_view.reveal(slice);
    }
}

}  // namespace kinetoscope::panels
