// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/ImportLogPanel.h"

#include <QVBoxLayout>

namespace kinetoscope::panels {

ImportLogPanel::ImportLogPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent), m_table(new DataTable(m_model, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    m_table->setLastColumnElides();
    const auto follow = [this, &view = context.view] {
        m_table->setEmptyText(view.trace() ? tr("No import problems: every event was read as is.")
                                           : tr("Open a trace to see its import problems."));
        m_model.setTrace(view.trace());
    };
    connect(&context.view, &session::ViewState::traceChanged, this, follow);
    connect(&context.view, &session::ViewState::traceGrown, this, follow);
    follow();
}

}  // namespace kinetoscope::panels
