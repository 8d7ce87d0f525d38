// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/JobPreview.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/job/MatrixLegend.h"

namespace kinetoscope::job {

using ranks::view::CellFigure;

JobPreview::JobPreview(JobState::Shown shown, qint64 files, QWidget* parent)
    : JobPage(parent),
      m_state(std::move(shown)),
      m_files(files),
      m_matrix(new MatrixView(m_state)) {
    m_state.setFigure(CellFigure::StepTime);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar({new QLabel(tr(ranks::view::figureTitle(CellFigure::StepTime))),
                               new MatrixLegend(m_state, *m_matrix)}));
    column->addWidget(m_matrix, 1);
    setFocusProxy(m_matrix);
    connect(&m_state, &JobState::rankRequested, this, &JobPage::rankRequested);
}

QWidget* JobPreview::part(const QString& name) const {
    return name == QLatin1String("matrix") ? m_matrix : nullptr;
}

QStringList JobPreview::summary() const {
    return {tr("%1 of %2 ranks read").arg(m_state.job().records.size()).arg(m_files),
            tr("waiting times appear once all ranks are read")};
}

}  // namespace kinetoscope::job
