// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/overview/OverviewStrip.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/session/ViewState.h"
#include "widgets/session/notes/TraceNotes.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/MarkedColumns.h"
#include "widgets/timeline/NoteMarks.h"
#include "widgets/timeline/TimelineOverlay.h"

namespace kinetoscope::timeline {

namespace {

constexpr int kStripHeight = 26;
constexpr int kStripTop = 3;  // pixels above the columns, for marks
constexpr double kMinFrame = 4.0;
constexpr float kCpuInk = 0.20F;   // how much of the text's colour
constexpr float kOutside = 0.62F;  // how much of what is not on screen is covered

std::vector<float> meanOf(const std::vector<session::GpuStrips>& gpus, TimeSpan span, int columns) {
    std::vector<float> mean(static_cast<std::size_t>(columns), 0.0F);
    for (const session::GpuStrips& gpu : gpus) {
        const std::vector<float> one = gpu.busy->fractions(span, columns);
        for (std::size_t i = 0; i < one.size(); ++i) {
            mean[i] += one[i] / static_cast<float>(gpus.size());
        }
    }
    return mean;
}

/// Columns from the lower edge of the image upwards.
void fillColumns(QImage& image, const std::vector<float>& shares, int top, const QColor& color) {
    const int height = image.height() - top;
    QPainter painter(&image);
    for (std::size_t x = 0; x < shares.size(); ++x) {
        // Any activity is visible, however small its part of the column's time.
        const double share = shares[x];
        const double tall = share <= 0.0F ? 0.0 : std::max(1.0, share * height);
        painter.fillRect(QRectF(static_cast<double>(x), image.height() - tall, 1.0, tall), color);
    }
}

}  // namespace

OverviewStrip::OverviewStrip(session::ViewState& state, QWidget* parent)
    : QWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("overview"));
    setAccessibleName(tr("Overview of the whole trace"));
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setWhatsThis(
        tr("The whole trace: mean GPU busy, and in grey how much of the time any thread ran an "
           "operator or an API call. The frame is the visible range: drag it or its edges; click "
           "beside it to go there, double-click to show everything."));
    const auto repaint = [this] { update(); };
    for (const auto signal : {&session::ViewState::traceChanged, &session::ViewState::traceGrown}) {
        connect(&state, signal, this, &OverviewStrip::forgetPicture);
    }
    connect(&state, &session::ViewState::visibleChanged, this, repaint);
    connect(&state, &session::ViewState::rangeChanged, this, repaint);
    connect(&state, &session::ViewState::selectionChanged, this, repaint);
    connect(&state, &session::ViewState::marksChanged, this, &OverviewStrip::findMarks);
}

void OverviewStrip::setMargins(int left, int right) {
    m_left = left;
    m_right = right;
    forgetPicture();
}

void OverviewStrip::setNotes(session::TraceNotes& notes) {
    m_notes = &notes;
    connect(&notes, &session::TraceNotes::changed, this, [this] { update(); });
}

void OverviewStrip::setCursorTime(std::optional<TimeNs> time) {
    if (time != m_cursor) {
        m_cursor = time;
        update();
    }
}

QRect OverviewStrip::area() const {
    return {m_left, 0, std::max(0, width() - m_left - m_right), height() - 1};
}

TimeCoordinates OverviewStrip::coordinates() const {
    return {m_state.fitSpan(), static_cast<double>(area().left()),
            static_cast<double>(area().width())};
}

QSize OverviewStrip::sizeHint() const {
    return {400, kStripHeight};
}

QRectF OverviewStrip::frame() const {
    const TimeCoordinates at = coordinates();
    const double right = at.left() + at.width();
    double from = std::clamp(at.x(m_state.visible().start), at.left(), right);
    double to = std::clamp(at.x(m_state.visible().end), at.left(), right);
    if (to - from < kMinFrame) {
        from = std::clamp((from + to - kMinFrame) / 2, at.left(),
                          std::max(at.left(), right - kMinFrame));
        to = from + kMinFrame;
    }
    return {from, 0.0, to - from, static_cast<double>(area().height())};
}

OverviewStrip::Columns OverviewStrip::columns() const {
    const int width = static_cast<int>(std::lround(area().width() * devicePixelRatioF()));
    if (!m_state.layout() || width <= 0) {
        return {};
    }
    const TimeSpan span = m_state.fitSpan();
    return {meanOf(m_state.layout()->strips, span, width),
            m_state.layout()->cpu->fractions(span, width)};
}

void OverviewStrip::forgetPicture() {
    m_picture = QImage();
    findMarks();
}

void OverviewStrip::findMarks() {
    const session::SliceMarks* marks = m_state.marks().get();
    m_marks.clear();
    if (marks != nullptr && m_state.trace() && area().width() > 0) {
        m_marks =
            startColumns(*m_state.trace(), marks->byStart(), m_state.fitSpan(), area().width());
    }
    update();
}

void OverviewStrip::renderPicture() {
    const style::Theme& theme = style::Theme::current();
    const double scale = devicePixelRatioF();
    m_picture = QImage((QSizeF(area().size()) * scale).toSize(), QImage::Format_RGB32);
    m_picture.fill(theme.base());
    const Columns shares = columns();
    QColor cpu = theme.text();
    cpu.setAlphaF(kCpuInk);
    const int top = static_cast<int>(std::lround(kStripTop * scale));
    fillColumns(m_picture, shares.cpu, top, cpu);
    fillColumns(m_picture, shares.gpu, top, theme.busy());
    m_picture.setDevicePixelRatio(scale);
}

void OverviewStrip::paintEvent(QPaintEvent*) {
    const style::Theme& theme = style::Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.raised());
    painter.fillRect(0, height() - 1, width(), 1, theme.border());
    painter.fillRect(area().left() - 1, 0, 1, height(), theme.border());
    if (!m_state.layout() || area().isEmpty()) {
        return;
    }
    if (m_picture.isNull() || m_picture.devicePixelRatio() != devicePixelRatioF()) {
        renderPicture();
    }
    paintLabel(painter);
    painter.setClipRect(area());
    painter.drawImage(area().topLeft(), m_picture);
    paintFrame(painter);
    paintMarks(painter);
    if (m_cursor) {
        paintCursor(painter, area(), coordinates(), *m_cursor);
    }
}

void OverviewStrip::paintLabel(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    const QString whole =
        QString::fromStdString(text::formatDuration(m_state.trace()->extent().duration()));
    const QRect box(24, 0, m_left - 32, height() - 1);
    painter.setPen(theme.text());
    painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, whole);
    const int room = box.width() - painter.fontMetrics().horizontalAdvance(whole) - 8;
    painter.setPen(theme.mutedText());
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(tr("Overview"), Qt::ElideRight, room));
}

// The time outside the visible range fades; the frame has edges that look like grips.
void OverviewStrip::paintFrame(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    const QRectF box = frame();
    QColor cover = theme.raised();
    cover.setAlphaF(kOutside);
    const QRectF all = area();
    painter.fillRect(QRectF(all.topLeft(), QPointF(box.left(), all.bottom())), cover);
    painter.fillRect(QRectF(QPointF(box.right(), all.top()), all.bottomRight()), cover);
    const QColor edge = theme.accent();
    painter.fillRect(QRectF(box.left(), box.top(), box.width(), 1), edge);
    painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), edge);
    for (const double x : {box.left(), box.right() - 2}) {
        painter.fillRect(QRectF(x, box.top(), 2, box.height()), edge);
        painter.fillRect(QRectF(x - 1, box.center().y() - 4, 4, 8), edge);
    }
}

void OverviewStrip::paintMarks(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    const TimeCoordinates at = coordinates();
    if (const auto range = m_state.selectedRange()) {
        paintRange(painter, area(), at, *range);
    }
    if (m_notes != nullptr) {
        for (const sidecar::Note& note : m_notes->notes()) {
            const double x = std::floor(at.x(note.span.start));
            painter.fillRect(QRectF(x, area().bottom() - 5, 2, 6), theme.highlight());
        }
    }
    for (const std::int32_t column : m_marks) {
        painter.fillRect(QRectF(area().left() + column, 0, 1, kStripTop), theme.highlight());
    }
    paintSelected(painter);
}

void OverviewStrip::paintSelected(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    const TimeCoordinates at = coordinates();
    const trace::Trace& trace = *m_state.trace();
    if (const auto time = session::selectedTime(trace, m_state.selection())) {
        const double from = std::floor(at.x(time->start));
        painter.fillRect(QRectF(from, 0, std::max(2.0, at.x(time->end) - from), kStripTop),
                         theme.selection());
    }
    const session::SliceMarks* marks = m_state.marks().get();
    if (const trace::SliceId chosen = m_state.chosenMark();
        marks != nullptr && marks->has(chosen)) {
        const double x = std::floor(at.x(trace.start(chosen)));
        painter.fillRect(QRectF(x - 1, 0, 3, kStripTop + 3), theme.selection());
    }
}

QString OverviewStrip::toolTipAt(double x) const {
    if (!m_state.layout() || x < area().left() || x > area().right()) {
        return {};
    }
    const TimeCoordinates at = coordinates();
    const TimeNs from = at.time(std::floor(x));
    const TimeSpan column{from, std::max(from + 1, at.time(std::floor(x) + 1))};
    const auto share = [&](const query::BusyColumns& busy) {
        return busy.busyIn(column) / static_cast<double>(column.duration());
    };
    const auto percent = [](double part) { return QString::number(100.0 * part, 'f', 1); };
    const auto& gpus = m_state.layout()->strips;
    double gpu = 0.0;
    for (const session::GpuStrips& strip : gpus) {
        gpu += share(*strip.busy) / static_cast<double>(gpus.size());
    }
    const QString busy = gpus.empty() ? tr("no GPU work")
                         : gpus.size() == 1
                             ? tr("GPU %1 % busy").arg(percent(gpu))
                             : tr("%1 GPUs %2 % busy").arg(gpus.size()).arg(percent(gpu));
    return tr("%1: %2, threads %3 %\nThe frame is the visible range: drag it or its edges; click "
              "beside it to go there, double-click to show everything")
        .arg(QString::fromStdString(
                 text::formatDuration(column.start - m_state.trace()->extent().start)),
             busy, percent(share(*m_state.layout()->cpu)));
}

void OverviewStrip::resizeEvent(QResizeEvent*) {
    forgetPicture();
}

void OverviewStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        m_picture = QImage();
    }
    QWidget::changeEvent(event);
}

}  // namespace kinetoscope::timeline
