// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/find/DurationsPanel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "core/text/Format.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

using Source = session::DurationState::Source;

QString number(std::uint64_t count) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(count)));
}

QString time(TimeNs ns) {
    return QString::fromStdString(text::formatDuration(ns));
}

}  // namespace

DurationsPanel::DurationsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_state(context.session.durations()),
      m_source(new style::ElidedLabel(QString())),
      m_scale(new QComboBox),
      m_height(new QComboBox),
      m_brush(new QToolButton),
      m_figures(new FigureLine),
      m_chart(new plots::HistogramChart(m_state)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_figures);
    layout->addWidget(m_chart, 1);
    m_figures->setObjectName(QStringLiteral("figures"));
    connect(&m_state, &session::DurationState::changed, this, &DurationsPanel::refresh);
    connect(&m_work, &LongWork::becameLong, this, &DurationsPanel::refresh);
    connect(&m_state, &session::DurationState::brushChanged, this, &DurationsPanel::tellBrush);
    tellBrush();
    refresh();
}

QWidget* DurationsPanel::makeToolBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    layout->addWidget(m_source, 1);
    layout->addWidget(new timeline::SelectionChip(m_view, bar));
    layout->addWidget(m_brush);
    layout->addWidget(m_scale);
    layout->addWidget(m_height);
    m_source->setObjectName(QStringLiteral("source"));
    m_brush->setObjectName(QStringLiteral("brush"));
    m_brush->setIcon(style::themedIcon(QStringLiteral("close")));
    m_brush->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_brush->setAutoRaise(true);
    m_brush->setToolTip(tr("Clear the duration filter"));
    m_scale->setObjectName(QStringLiteral("scale"));
    m_scale->addItems({tr("Logarithmic"), tr("Linear")});
    m_scale->setToolTip(tr("Axis of the durations"));
    m_height->setObjectName(QStringLiteral("height"));
    m_height->addItems({tr("Count"), tr("Time")});
    m_height->setToolTip(tr("Height of a bar: number of slices, or their total time"));
    connect(m_brush, &QToolButton::clicked, this, [this] { m_state.setBrush(std::nullopt); });
    connect(m_scale, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_state.setScale(static_cast<stats::BinScale>(index)); });
    connect(m_height, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_chart->setHeight(static_cast<plots::HistogramChart::Height>(index));
    });
    return bar;
}

QString DurationsPanel::sourceText() const {
    QString text = style::shownText(m_state.sourceText());
    switch (m_state.source()) {
        case Source::Found:
            return tr("Found: %1").arg(text);
        case Source::Name:
        case Source::Selected:
            return text;
        case Source::None:
            break;
    }
    return {};
}

QString DurationsPanel::emptyText() const {
    if (!m_view.trace()) {
        return tr("Open a trace to see how long its slices take.");
    }
    if (!m_state.error().isEmpty()) {
        return m_state.error();
    }
    if (m_state.source() == Source::None) {
        return tr(
            "Select a kernel, an operator or a slice, or search for slices, to see their "
            "durations.");
    }
    return m_state.result() ? tr("None of them starts in the selected time.") : QString();
}

void DurationsPanel::refresh() {
    m_source->setText(sourceText());
    m_chart->setEmptyText(emptyText());
    m_work.setBusy(m_state.busy());
    if (m_work.isLong() || !m_state.result() || m_state.result()->all.count == 0) {
        m_figures->setSentence(m_work.isLong() ? tr("measuring…") : QString());
        return;
    }
    const session::DurationResult& result = *m_state.result();
    std::vector<FigureLine::Figure> figures{
        {QString(),
         result.all.count == 1 ? tr("1 slice") : tr("%1 slices").arg(number(result.all.count))},
        timeFigure(tr("sum"), result.all.total),
        timeFigure(tr("mean"), result.all.mean),
        timeFigure(tr("min"), result.all.min)};
    for (std::size_t i = 0; i < result.quantiles.size(); ++i) {
        const int percent = qRound(session::kDurationQuantiles[i] * 100);
        figures.push_back(timeFigure(percent == 50 ? tr("median") : tr("%1 %").arg(percent),
                                     result.quantiles[i]));
    }
    figures.push_back(timeFigure(tr("max"), result.all.max));
    if (const auto selected = m_state.selectedDuration()) {
        figures.push_back(timeFigure(tr("selected"), *selected));
    }
    m_figures->setFigures(figures);
}

void DurationsPanel::tellBrush() {
    const auto brush = m_state.brush();
    m_brush->setVisible(brush.has_value());
    if (brush) {
        m_brush->setText(tr("%1 to %2").arg(time(brush->start), time(brush->end)));
    }
}

void DurationsPanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        refresh();
    }
}

}  // namespace kinetoscope::panels
