// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/SummaryPanel.h"

#include <QEvent>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <span>
#include <utility>

#include "widgets/panels/CompatSection.h"
#include "widgets/panels/GpuSection.h"
#include "widgets/panels/RunSection.h"
#include "widgets/panels/WindowChooser.h"
#include "widgets/panels/parts/FigureGrid.h"

namespace kinetoscope::panels {

namespace {

constexpr int kSummaryMargin = 12;
constexpr int kBetweenSections = 18;
constexpr std::size_t kMaxGpus = 64;  // each is some hundred widgets

/// A column of sections.
QWidget* makeColumn() {
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kBetweenSections);
    return column;
}

}  // namespace

SummaryPanel::SummaryPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_session(context.session),
      m_view(context.view),
      m_file(new style::ElidedLabel(QString())),
      m_scroll(new QScrollArea(this)),
      m_figures(new QWidget),
      m_compat(new CompatSection(m_session.compat())),
      m_run(new QWidget) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* chooser = new WindowChooser(m_session, m_view, this);
    chooser->setContentsMargins(kSummaryMargin, 8, kSummaryMargin, 4);
    m_file->setObjectName(QStringLiteral("summaryFile"));
    m_file->setContentsMargins(kSummaryMargin, 8, kSummaryMargin, 0);
    layout->addWidget(m_file);
    layout->addWidget(chooser);
    layout->addWidget(m_scroll, 1);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* contents = new QWidget;
    auto* sections = new QVBoxLayout(contents);
    sections->setContentsMargins(kSummaryMargin, 8, kSummaryMargin, kSummaryMargin);
    sections->setSpacing(kBetweenSections);
    for (QWidget* section : {m_figures, static_cast<QWidget*>(m_compat), m_run}) {
        sections->addWidget(section);
    }
    sections->addStretch(1);
    m_scroll->setWidget(contents);
    connect(&m_session.reports(), &session::ReportRunner::reportChanged, this,
            &SummaryPanel::refresh);
    connect(&m_session, &session::Session::runsChanged, this, &SummaryPanel::tellFile);
    connect(&m_session, &session::Session::currentChanged, this, &SummaryPanel::tellFile);
    connect(m_compat, &CompatSection::contentsChanged, this, &SummaryPanel::fitWidth);
    tellFile();
    refresh();
}

// Whose figures these are: two compared files are on screen together.
void SummaryPanel::tellFile() {
    const session::Run* run = m_session.current();
    m_file->setText(run != nullptr ? run->title : QString());
    m_file->setVisible(run != nullptr && m_session.runs().size() > 1);
}

bool SummaryPanel::busy() const {
    return m_session.reports().busy() || m_session.compat().busy();
}

QString SummaryPanel::hint() const {
    const session::ReportRunner& reports = m_session.reports();
    if (!m_view.trace()) {
        return tr("Open a trace to see how busy its GPUs were.");
    }
    if (!m_view.trace()->isComplete()) {
        return tr("Figures appear once the whole file has been read.");
    }
    if (!reports.error().isEmpty()) {
        return reports.error();
    }
    return reports.report() && reports.report()->gpus.empty()
               ? tr("This trace has no GPU work in the window.")
               : QString();
}

QWidget* SummaryPanel::makeFigures() const {
    QWidget* figures = makeColumn();
    QLayout* layout = figures->layout();
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
                                          tr("see kscope report for all of them")));
        }
    }
    return figures;
}

void SummaryPanel::replace(QWidget*& section, QWidget* by) {
    delete m_scroll->widget()->layout()->replaceWidget(section, by);
    delete std::exchange(section, by);
    by->show();  // its width counts from now on
}

void SummaryPanel::refresh() {
    const int position = m_scroll->verticalScrollBar()->value();
    replace(m_figures, makeFigures());
    replace(m_run, m_view.trace() ? new RunSection(*m_view.trace()) : makeColumn());
    m_compat->setVisible(m_view.trace() != nullptr);
    fitWidth();
    m_scroll->verticalScrollBar()->setValue(position);
}

// Figures are not cut where other docks need room.
void SummaryPanel::fitWidth() {
    m_scroll->setMinimumWidth(m_scroll->widget()->minimumSizeHint().width() +
                              m_scroll->verticalScrollBar()->sizeHint().width());
}

void SummaryPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        refresh();
    }
    Panel::changeEvent(event);
}

}  // namespace kinetoscope::panels
