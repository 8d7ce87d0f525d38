// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/TimelineChips.h"

#include <QEvent>
#include <QHBoxLayout>

#include "core/text/Format.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::plots {

namespace {

constexpr int kSpacing = 6;
constexpr int kFromEdge = 6;
constexpr int kFromTop = 3;

/// Kernels by their short names; of operators the start with the namespace.
QString shownName(std::string_view name) {
    const bool isKernel = name.find_first_of("<(") != std::string_view::npos;
    const std::string label = isKernel ? text::shortKernelName(name) : std::string(name);
    return style::shownText(label.empty() ? std::string_view("(no name)")
                                          : std::string_view(label));
}

}  // namespace

TimelineChips::TimelineChips(session::ViewState& state, timeline::TimelineWidget& timeline,
                             QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_timeline(timeline),
      m_emphasis(new style::ClearChip(tr("Highlighted in the timeline; click to clear"), this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kSpacing);
    row->addWidget(m_emphasis);
    m_emphasis->setObjectName(QStringLiteral("emphasisChip"));
    m_timeline.installEventFilter(this);
    connect(m_emphasis, &QAbstractButton::clicked, this, [this] {
        m_state.highlightName(std::nullopt);
        m_state.setEmphasis(nullptr);
    });
    connect(&state, &session::ViewState::emphasisChanged, this, &TimelineChips::tellEmphasis);
    connect(&state, &session::ViewState::highlightChanged, this, &TimelineChips::tellEmphasis);
    connect(&state, &session::ViewState::traceChanged, this, &TimelineChips::tellEmphasis);
    connect(&timeline, &timeline::TimelineWidget::labelWidthChanged, this, &TimelineChips::place);
    tellEmphasis();
}

void TimelineChips::tellEmphasis() {
    const auto name = m_state.highlightedName();
    QString what;
    if (const auto& brushed = m_state.emphasis()) {
        const std::size_t count = brushed->byStart().size();
        what = count == 1 ? tr("1 brushed slice")
                          : tr("%1 brushed slices")
                                .arg(QString::fromStdString(
                                    text::formatCount(static_cast<std::int64_t>(count))));
    } else if (name && m_state.trace()) {
        what = shownName(m_state.trace()->text(*name));
    }
    m_emphasis->setWhat(what);
    place();
}

void TimelineChips::place() {
    layout()->activate();
    const QRect area = m_timeline.timeArea();
    const int room = std::max(0, area.width() - 2 * kFromEdge);
    const QSize size(std::min(room, sizeHint().width()), sizeHint().height());
    const QPoint corner(area.right() - kFromEdge - size.width() + 1, area.top() + kFromTop);
    setGeometry(QRect(m_timeline.mapTo(parentWidget(), corner), size));
    raise();
}

bool TimelineChips::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) {
        place();
    }
    return QWidget::event(event);
}

bool TimelineChips::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move) {
        place();
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace kinetoscope::plots
