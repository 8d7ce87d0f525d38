// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/TimelineView.h"

#include <QApplication>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/report/RooflineTable.h"
#include "widgets/plots/BusyStripPlot.h"
#include "widgets/plots/RoofStrips.h"
#include "widgets/plots/TimelineChips.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/TimeRuler.h"
#include "widgets/timeline/TimelineWidget.h"
#include "widgets/timeline/overview/OverviewStrip.h"

namespace kinetoscope::plots {

namespace {

constexpr int kTallestStrip = 40;
constexpr int kMinStrip = 20;
constexpr int kMinTimeline = 80;      // pixels of rows before a strip is shown
constexpr std::size_t kMaxGpus = 64;  // whose strips are shown
constexpr int kAllStrips = 160;  // logical pixels that they share until they are at their lowest

std::span<const session::GpuStrips> shownStrips(const session::ViewState& state) {
    const std::vector<session::GpuStrips>& all = state.layout()->strips;
    return std::span(all).first(std::min(all.size(), kMaxGpus));
}

}  // namespace

TimelineView::TimelineView(session::ViewState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_overview(new timeline::OverviewStrip(state, this)),
      m_ruler(new timeline::TimeRuler(state, this)),
      m_stripLayout(new QVBoxLayout),
      m_roofs(new RoofStrips(state, this)),
      m_timeline(new timeline::TimelineWidget(state, this)),
      m_chips(new TimelineChips(state, *m_timeline, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_stripLayout->setSpacing(0);
    layout->addWidget(m_overview);
    layout->addWidget(m_ruler);
    layout->addLayout(m_stripLayout);
    layout->addWidget(m_timeline, 1);
    setFocusProxy(m_timeline);
    connect(&state, &session::ViewState::traceChanged, this, &TimelineView::resetStrips);
    connect(&state, &session::ViewState::traceGrown, this, &TimelineView::growStrips);
    connect(m_roofs, &RoofStrips::changed, this, &TimelineView::showRoofs);
    connect(m_timeline, &timeline::TimelineWidget::labelWidthChanged, this,
            &TimelineView::setMargins);
    connect(m_timeline, &timeline::TimelineWidget::cursorMoved, this, &TimelineView::pointAt);
    connect(m_ruler, &timeline::TimeRuler::cursorMoved, this, &TimelineView::pointAt);
    // Another axis, which stays where it is.
    connect(m_overview, &timeline::OverviewStrip::cursorMoved, this, &TimelineView::showCursor);
    connect(&state, &session::ViewState::visibleChanged, this, &TimelineView::keepPointer);
    resetStrips();
}

void TimelineView::setNotes(session::TraceNotes& notes) {
    m_overview->setNotes(notes);
    m_ruler->setNotes(notes);
    m_timeline->setNotes(notes);
}

void TimelineView::growStrips() {
    const auto gpus = shownStrips(m_state);
    if (m_strips.size() != 2 * gpus.size() ||
        !std::ranges::equal(gpus, m_gpus, {}, &session::GpuStrips::gpu)) {
        return resetStrips();
    }
    std::size_t strip = 0;
    for (const session::GpuStrips& gpu : gpus) {
        m_strips[strip++]->setBusy(gpu.busy);
        m_strips[strip++]->setBusy(gpu.mmConv);
    }
}

void TimelineView::resetStrips() {
    qDeleteAll(m_strips);
    m_strips.clear();
    m_gpus.clear();
    if (m_state.trace()) {
        for (const session::GpuStrips& gpu : shownStrips(m_state)) {
            const QString name = QString::fromStdString(trace::gpuName(gpu.gpu));
            const QString label = "GPU " + QString::fromStdString(trace::gpuNumber(gpu.gpu));
            m_gpus.push_back(gpu.gpu);
            addStrip(new BusyStripPlot(
                m_state,
                {tr("%1 busy").arg(label),
                 tr("Share of the time in which %1 runs at least one kernel, copy or memset")
                     .arg(name),
                 [] { return style::Theme::current().busy(); }, gpu.busy},
                this));
            addStrip(
                new BusyStripPlot(m_state,
                                  {tr("%1 mm/conv").arg(label),
                                   tr("Share of the time in which %1 runs at least one matrix "
                                      "multiplication or convolution")
                                       .arg(name),
                                   [] { return style::Theme::current().mmConv(); }, gpu.mmConv},
                                  this));
        }
    }
    m_roofStrips.clear();
    showRoofs();
    fitStrips();
    setMargins();
}

// The other strips stay as they are drawn.
void TimelineView::showRoofs() {
    if (m_roofs->isEmpty() && m_roofStrips.empty()) {
        return;
    }
    for (BusyStripPlot* strip : std::exchange(m_roofStrips, {})) {
        std::erase(m_strips, strip);
        delete strip;
    }
    const auto others = std::exchange(m_strips, {});
    for (std::size_t i = 0; i < m_gpus.size(); ++i) {
        m_strips.insert(m_strips.end(), {others[2 * i], others[2 * i + 1]});
        addRoofStrip(m_gpus[i]);
    }
    fitStrips();
    setMargins();
}

void TimelineView::addRoofStrip(std::int32_t gpu) {
    const auto found = m_roofs->of(gpu);
    if (!found) {
        return;
    }
    const QString roof = QString::fromStdString(report::roofLine(found->roof));
    auto* strip = new BusyStripPlot(
        m_state,
        {(found->roof.measured ? tr("GPU %1 of measured roof") : tr("GPU %1 of roof")).arg(gpu),
         tr("How close GPU %1 comes to its roof: while a call's kernels run, the time the call "
            "would take at the roof divided by the time it took, at most 100 %, as in the Roofline "
            "panel. Idle time and calls without a model count as 0.\n%2")
             .arg(gpu)
             .arg(roof),
         [] { return style::Theme::current().accent(); },
         std::shared_ptr<const query::BusyColumns>(found, &found->reached)},
        this);
    m_roofStrips.push_back(strip);
    addStrip(strip);
}

bool TimelineView::busy() const {
    return m_roofs->busy();
}

QSize TimelineView::minimumSizeHint() const {
    const QSize least = m_timeline->minimumSizeHint();
    return {least.width(), least.height() + m_ruler->sizeHint().height()};
}

// As many as there is room for beside some rows of the timeline; the first GPU's come first.
void TimelineView::fitStrips() {
    int most = height() - m_ruler->sizeHint().height() - kMinTimeline;
    const int whole = m_overview->sizeHint().height();
    m_overview->setVisible(m_state.trace() && most >= whole);
    most -= whole;
    const int count = std::max(1, static_cast<int>(m_strips.size()));
    const int room = std::min(kAllStrips, std::max(kMinStrip, most));
    const int each = std::clamp(room / count, kMinStrip, kTallestStrip);
    int left = std::max(most, 0);
    for (BusyStripPlot* strip : m_strips) {
        strip->setFixedHeight(each);
        strip->setVisible(left >= each);
        left -= each;
    }
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitStrips();
}

void TimelineView::addStrip(BusyStripPlot* strip) {
    m_stripLayout->insertWidget(static_cast<int>(m_strips.size()), strip);
    m_strips.push_back(strip);
    connect(strip, &BusyStripPlot::cursorMoved, this, &TimelineView::pointAt);
    connect(strip, &BusyStripPlot::wheelTurned, this, [this](const QWheelEvent* event) {
        const double x = event->position().x();
        const double notches = event->angleDelta().y() / 120.0;
        m_state.zoom(std::pow(0.8, notches), m_timeline->coordinates().time(x));
    });
}

void TimelineView::setMargins() {
    m_overview->setMargins(m_timeline->labelWidth(), m_timeline->rightMargin());
    m_ruler->setMargins(m_timeline->labelWidth(), m_timeline->rightMargin());
    for (BusyStripPlot* strip : m_strips) {
        strip->setMargins(m_timeline->labelWidth(), m_timeline->rightMargin());
    }
}

void TimelineView::pointAt(std::optional<TimeNs> time) {
    m_pointedX = time ? std::optional(m_timeline->coordinates().x(*time)) : std::nullopt;
    setCursorTime(time);
}

void TimelineView::showCursor(std::optional<TimeNs> time) {
    m_pointedX.reset();
    setCursorTime(time);
}

// The pointer stays where it is, and another time comes below it.
void TimelineView::keepPointer() {
    if (m_pointedX) {
        setCursorTime(m_timeline->coordinates().time(*m_pointedX));
    }
}

void TimelineView::setCursorTime(std::optional<TimeNs> time) {
    m_overview->setCursorTime(time);
    m_ruler->setCursorTime(time);
    m_timeline->setCursorTime(time);
    for (BusyStripPlot* strip : m_strips) {
        strip->setCursorTime(time);
    }
}

}  // namespace kinetoscope::plots
