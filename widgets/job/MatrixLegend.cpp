// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/MatrixLegend.h"

#include <QPainter>

#include "widgets/job/MatrixView.h"
#include "widgets/models/Text.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::job {

namespace {

constexpr int kStrip = 140;
constexpr int kStripHeight = 12;
constexpr int kLegendRoom = 6;

}  // namespace

MatrixLegend::MatrixLegend(JobState& state, const MatrixView& matrix, QWidget* parent)
    : QWidget(parent), m_state(state), m_matrix(matrix) {
    setObjectName(QStringLiteral("legend"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    const auto refresh = [this] {
        setToolTip(tr(ranks::view::figureHelp(m_state.figure())));
        updateGeometry();
        update();
    };
    connect(&state, &JobState::figureChanged, this, refresh);
    refresh();
}

QString MatrixLegend::lowText() const {
    const CellColors& colors = m_matrix.colors();
    return models::toText(
        ranks::view::valueText(m_state.figure(), colors.isDiverging() ? -colors.largest() : 0.0));
}

QString MatrixLegend::highText() const {
    return models::toText(ranks::view::valueText(m_state.figure(), m_matrix.colors().largest()));
}

QSize MatrixLegend::sizeHint() const {
    const QFontMetrics metrics = fontMetrics();
    return {metrics.horizontalAdvance(lowText()) + metrics.horizontalAdvance(highText()) + kStrip +
                4 * kLegendRoom,
            metrics.height() + 4};
}

void MatrixLegend::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    const CellColors& colors = m_matrix.colors();
    QPainter painter(this);
    painter.setPen(theme.mutedText());
    const int low = fontMetrics().horizontalAdvance(lowText());
    painter.drawText(QRect(kLegendRoom, 0, low + 1, height()), Qt::AlignVCenter, lowText());
    const QRect strip(2 * kLegendRoom + low, (height() - kStripHeight) / 2, kStrip, kStripHeight);
    for (int x = 0; x < kStrip; ++x) {
        const double share = static_cast<double>(x) / (kStrip - 1);
        const double value = colors.largest() * (colors.isDiverging() ? 2.0 * share - 1.0 : share);
        painter.fillRect(strip.left() + x, strip.top(), 1, strip.height(), colors.color(value));
    }
    painter.setPen(theme.border());
    painter.drawRect(strip.adjusted(0, 0, -1, -1));
    painter.setPen(theme.mutedText());
    painter.drawText(QRect(strip.right() + kLegendRoom, 0, width(), height()), Qt::AlignVCenter,
                     highText());
}

}  // namespace kinetoscope::job
