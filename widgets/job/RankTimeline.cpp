// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/RankTimeline.h"

#include <QEvent>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/job/TimelineSizes.h"
#include "widgets/models/Text.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::job {

using ranks::view::CollectiveMark;
using ranks::view::JobRow;
using ranks::view::RankPicture;

RankTimeline::RankTimeline(JobState& state, QWidget* parent)
    : QAbstractScrollArea(parent), m_state(state) {
    setObjectName(QStringLiteral("rankTimeline"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("All ranks on one clock"));
    setWhatsThis(tr(
        "All ranks on one clock: when each GPU computed, communicated and copied, and below it its "
        "collectives, thin while it waited for the others. Click a collective to connect its "
        "ranks’ arrivals and mark the last one. The triangle opens the GPU’s rows; double-click "
        "opens the rank’s own trace there. The wheel zooms, dragging pans, as do W A S D."));
    connect(&state, &JobState::rowsChanged, this, [this] {
        layOut();
        if (m_current) {
            revealRank(*m_current);
        }
    });
    connect(&state, &JobState::visibleChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&state, &JobState::selectionChanged, this, &RankTimeline::follow);
    connect(&m_traces, &RankTraces::loaded, this, &RankTimeline::takeTrace);
    connect(&m_traces, &RankTraces::failed, this, [this](std::size_t record, const QString& why) {
        std::erase(m_wanted, record);
        viewport()->update();
        emit failed(why);
    });
    connect(&m_traces, &RankTraces::dropped, this,
            [this](std::size_t record) { setOpened(record, false); });
}

RankTimeline::~RankTimeline() = default;

void RankTimeline::layOut() {
    const auto& rows = m_state.rows();
    const auto headings = std::ranges::count_if(rows, &JobRow::isHeading);
    const auto ranks = std::max<qsizetype>(1, static_cast<qsizetype>(rows.size()) - headings);
    const auto room = viewport()->height() - kRuler - headings * kHeadingRow;
    const int fitted =
        static_cast<int>(std::clamp<qsizetype>(room / ranks, kMinFitted, kMaxFitted));
    m_rowHeight = m_wantedHeight > 0 ? m_wantedHeight : fitted;
    std::vector<int> heights;
    for (const JobRow& row : rows) {
        const auto opened = m_opened.find(row.record);
        heights.push_back(row.isHeading()
                              ? kHeadingRow
                              : m_rowHeight +
                                    (opened == m_opened.end() ? 0 : opened->second->height()));
    }
    m_rows.assign(heights);
    const int inSight = std::max(0, viewport()->height() - kRuler);
    verticalScrollBar()->setRange(0, std::max(0, m_rows.height() - inSight));
    verticalScrollBar()->setPageStep(inSight);
    verticalScrollBar()->setSingleStep(2 * m_rowHeight);
    viewport()->update();
}

// A selection made elsewhere is scrolled into view.
void RankTimeline::follow() {
    if (const auto cell = m_state.cell()) {
        m_current = cell->record;
        revealRank(cell->record);
    } else if (const auto collective = m_state.collective()) {
        const auto& members = m_state.job().matching.collectives[*collective].members;
        const std::size_t last = members[m_state.job().waits[*collective].last].record;
        const bool isMember = m_current && std::ranges::any_of(members, [&](ranks::Member one) {
                                  return one.record == *m_current;
                              });
        m_current = isMember ? *m_current : last;
        revealRank(*m_current);
    }
    viewport()->update();
}

void RankTimeline::revealRank(std::size_t record) {
    const std::size_t row = m_state.rowOf(record);
    const int top = rowTop(row);
    const int bottom = top + m_rowHeight + marksHeight(m_rowHeight);  // and a mark across its edge
    QScrollBar& bar = *verticalScrollBar();
    if (top < kRuler) {
        bar.setValue(bar.value() - (kRuler - top));
    } else if (bottom > viewport()->height()) {
        bar.setValue(bar.value() + bottom - viewport()->height());
    }
}

void RankTimeline::setOpened(std::size_t record, bool opened) {
    if (opened) {
        if (!m_opened.contains(record) && std::ranges::count(m_wanted, record) == 0) {
            m_wanted.push_back(record);
            m_traces.want(record, session::decodedPath(m_state.job().records[record].file));
        }
    } else {
        m_opened.erase(record);
        std::erase(m_wanted, record);
    }
    layOut();
}

void RankTimeline::takeTrace(std::size_t record) {
    const RankTraces::Loaded* loaded = m_traces.find(record);
    if (loaded == nullptr || std::erase(m_wanted, record) == 0) {
        return;  // closed meanwhile
    }
    auto opened = std::make_unique<OpenedRank>(*loaded);
    opened->reset(smallFont(font()), devicePixelRatioF());
    m_opened[record] = std::move(opened);
    layOut();
}

void RankTimeline::resetOpened() {
    for (const auto& [record, opened] : m_opened) {
        opened->reset(smallFont(font()), devicePixelRatioF());
    }
    layOut();
}

void RankTimeline::resizeEvent(QResizeEvent* /*event*/) {
    layOut();
}

void RankTimeline::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        resetOpened();
    }
}

timeline::TimeCoordinates RankTimeline::coordinates() const {
    return {m_state.visible(), static_cast<double>(kLabels),
            static_cast<double>(std::max(1, viewport()->width() - kLabels))};
}

int RankTimeline::rowTop(std::size_t row) const {
    return kRuler + m_rows.top(row) - verticalScrollBar()->value();
}

int RankTimeline::stripHeight() const {
    return m_rowHeight - marksHeight(m_rowHeight) - 2;
}

QRect RankTimeline::stripRect(std::size_t record) const {
    return {kLabels, rowTop(m_state.rowOf(record)) + 1, viewport()->width() - kLabels,
            stripHeight()};
}

QRect RankTimeline::marksRect(std::size_t record) const {
    const QRect strip = stripRect(record);
    return {strip.left(), strip.bottom() + 1, strip.width(), marksHeight(m_rowHeight)};
}

QRectF RankTimeline::markRect(std::size_t record, std::size_t collective) const {
    const RankPicture& rank = m_state.shown().ranks[record];
    const auto mark = std::ranges::find(rank.marks, collective, &CollectiveMark::collective);
    if (mark == rank.marks.end()) {
        return {};
    }
    const timeline::TimeCoordinates at = coordinates();
    const QRect row = marksRect(record);
    const double from = at.x(mark->span.start);
    return {from, static_cast<double>(row.top()), std::max(1.0, at.x(mark->span.end) - from),
            static_cast<double>(row.height())};
}

}  // namespace kinetoscope::job
