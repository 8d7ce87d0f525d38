// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/SummaryPanel.h"

#include <QEvent>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <span>

#include "widgets/panels/GpuSection.h"
#include "widgets/panels/RunSection.h"
#include "widgets/panels/WindowChooser.h"
#include "widgets/panels/parts/FigureGrid.h"

namespace kinetoscope::panels {

namespace {

constexpr int kMargin = 12;
constexpr int kBetweenSections = 18;
constexpr std::size_t kMaxGpus = 64;  // each is some hundred widgets

}  // namespace

SummaryPanel::SummaryPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_session(context.session),
      m_view(context.view),
      m_scroll(new QScrollArea(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* chooser = new WindowChooser(m_session, m_view, this);
    chooser->setContentsMargins(kMargin, 8, kMargin, 4);
    layout->addWidget(chooser);
    layout->addWidget(m_scroll, 1);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(&m_session.reports(), &session::ReportRunner::reportChanged, this,
            &SummaryPanel::refresh);
    refresh();
}

QString SummaryPanel::hint() const {
    const session::ReportRunner& reports = m_session.reports();
    if (!m_view.trace()) {
        return tr("Open a trace to see how busy its GPUs were.");
    }
    if (!m_view.trace()->isComplete()) {
        return tr("The figures come when the whole file has been read.");
    }
    if (!reports.error().isEmpty()) {
        return reports.error();
    }
    return reports.report() && reports.report()->gpus.empty()
               ? tr("This trace has no GPU work in the window.")
               : QString();
}

QWidget* SummaryPanel::makeContents() const {
    auto* contents = new QWidget;
    auto* layout = new QVBoxLayout(contents);
    layout->setContentsMargins(kMargin, 8, kMargin, kMargin);
    layout->setSpacing(kBetweenSections);
    if (const QString text = hint(); !text.isEmpty()) {
        auto* label = new QLabel(text);
        label->setTextFormat(Qt::PlainText);
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    if (const auto& report = m_session.reports().report()) {
        const auto shown = std::min(report->gpus.size(), kMaxGpus);
        for (const report::GpuReport& gpu : std::span(report->gpus).first(shown)) {
            layout->addWidget(new GpuSection(gpu, m_view.trace()->extent().start));
        }
        if (report->gpus.size() > shown) {
            layout->addWidget(makeHeading(tr("and %1 more GPUs").arg(report->gpus.size() - shown),
                                          tr("kscope report has them all")));
        }
    }
    if (m_view.trace()) {
        layout->addWidget(new RunSection(*m_view.trace()));
    }
    layout->addStretch(1);
    return contents;
}

void SummaryPanel::refresh() {
    const int position = m_scroll->verticalScrollBar()->value();
    m_scroll->setWidget(makeContents());
    // Figures are not cut where other docks need room.
    m_scroll->setMinimumWidth(m_scroll->widget()->minimumSizeHint().width() +
                              m_scroll->verticalScrollBar()->sizeHint().width());
    m_scroll->verticalScrollBar()->setValue(position);
}

void SummaryPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        refresh();
    }
    Panel::changeEvent(event);
}

}  // namespace kinetoscope::panels
