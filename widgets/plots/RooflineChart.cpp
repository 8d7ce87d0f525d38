// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/RooflineChart.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/report/RooflineTable.h"
#include "core/text/Format.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr double kSmallest = 3.0;    // radius of a point in pixels
constexpr double kMax = 16.0;        // of the one that takes most time
constexpr double kNear = 4.0;        // pixels beyond its edge at which a point is still meant
constexpr double kRoomAround = 2.0;  // factor of room around everything
constexpr double kRoomAbove = 4.0;   // for the name of the highest roof, in low charts too
constexpr double kSlopeSeen = 4.0;   // factor of x before a peak: room for the bandwidth's name
constexpr float kUnchosen = 0.15F;   // opacities
constexpr float kPoint = 0.55F;

bool hasPlace(const model::RooflineRow& row) {
    return row.flops > 0 && row.bytes > 0 && row.timeNs > 0;
}

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : Chart(parent) {
    setObjectName(QStringLiteral("rooflineChart"));
    setWhatsThis(
        tr("<b>Roofline</b><br>Each point is a row of the table: x is arithmetic intensity (FLOP "
           "per byte), y the FLOP/s achieved, both logarithmic; larger points take more time. The "
           "lines are the GPU's limits: slanted for memory bandwidth, flat for the peak of each "
           "data type. Click a point, or drag a line around several."));
    refill();
}

void RooflineChart::setRoofline(std::shared_ptr<const model::Roofline> roofline,
                                const QString& hint) {
    m_roofline = std::move(roofline);
    m_emptyText = hint;
    m_chosen.assign(m_roofline ? m_roofline->rows.size() : 0, false);
    m_anyChosen = false;
    choosePoints();
    refill();
}

void RooflineChart::setChosen(const std::vector<std::uint32_t>& rows) {
    m_chosen.assign(m_chosen.size(), false);
    m_anyChosen = false;
    for (const std::uint32_t row : rows) {
        if (row < m_chosen.size()) {
            m_chosen[row] = true;
            m_anyChosen = true;
        }
    }
    refill();
}

void RooflineChart::choosePoints() {
    m_points.clear();
    for (std::uint32_t row = 0; m_roofline && row < m_roofline->rows.size(); ++row) {
        if (hasPlace(m_roofline->rows[row])) {
            m_points.push_back(row);
        }
    }
    std::ranges::stable_sort(m_points, std::ranges::greater(),
                             [this](std::uint32_t row) { return m_roofline->rows[row].timeNs; });
    m_points.resize(std::min(m_points.size(), kMaxPoints));
}

const model::GpuRoof* RooflineChart::roof() const {
    for (const model::DeviceRoof& device : m_roofline->roofs) {
        if (device.roof != nullptr) {
            return device.roof;
        }
    }
    return nullptr;
}

double RooflineChart::radiusOf(const model::RooflineRow& row) const {
    const auto most = static_cast<double>(m_roofline->rows[m_points.front()].timeNs);
    return std::max(kSmallest, kMax * std::sqrt(static_cast<double>(row.timeNs) / most));
}

std::optional<QPointF> RooflineChart::placeOf(std::uint32_t row) const {
    if (std::ranges::find(m_points, row) == m_points.end()) {
        return std::nullopt;
    }
    const model::RooflineRow& one = m_roofline->rows[row];
    return QPointF(xAxis->coordToPixel(*one.intensity()),
                   yAxis->coordToPixel(one.teraflopsPerSecond()));
}

std::optional<std::uint32_t> RooflineChart::rowAt(QPointF at) const {
    std::optional<std::uint32_t> nearest;
    double best = 0.0;
    for (const std::uint32_t row : m_points) {
        const QPointF apart = *placeOf(row) - at;
        const double beyond = std::hypot(apart.x(), apart.y()) - radiusOf(m_roofline->rows[row]);
        if (beyond <= kNear && (!nearest || beyond < best)) {
            nearest = row;
            best = beyond;
        }
    }
    return nearest;
}

void RooflineChart::drawContents() {
    if (m_points.empty()) {
        setHint(m_emptyText.isEmpty() ? QStringLiteral(" ") : m_emptyText);
        return;
    }
    setRanges();
    drawRoofs();
    drawPoints();
}

void RooflineChart::setRanges() {
    double lowX = 1e300;
    double highX = 0.0;
    double lowY = 1e300;
    double highY = 0.0;
    for (const std::uint32_t row : m_points) {
        const model::RooflineRow& one = m_roofline->rows[row];
        lowX = std::min(lowX, *one.intensity());
        highX = std::max(highX, *one.intensity());
        lowY = std::min(lowY, one.teraflopsPerSecond());
        highY = std::max(highY, one.teraflopsPerSecond());
    }
    if (const model::GpuRoof* gpu = roof()) {
        for (const std::uint32_t row : m_points) {
            const double peak = gpu->peak(m_roofline->rows[row].peak);
            highY = std::max(highY, peak / 1e12);
            highX = std::max(highX, peak / gpu->memoryBytesPerSecond);
            lowX = std::min(lowX, peak / gpu->memoryBytesPerSecond / kSlopeSeen);
        }
    }
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
        axis->setNumberFormat(QStringLiteral("gb"));
        axis->setNumberPrecision(4);
    }
    xAxis->setLabel(tr("Arithmetic intensity (FLOP per byte)"));
    yAxis->setLabel(tr("TFLOP/s"));
    xAxis->setRange(lowX / kRoomAround, highX * kRoomAround);
    yAxis->setRange(lowY / kRoomAround, highY * kRoomAbove);
}

void RooflineChart::drawRoofs() {
    const model::GpuRoof* gpu = roof();
    if (gpu == nullptr) {
        return;
    }
    double ridge = 0.0;  // where the memory's line ends
    std::set<std::string> types;
    for (const std::uint32_t row : m_points) {
        types.insert(m_roofline->rows[row].peak);
    }
    for (const std::string& type : types) {
        if (const double peak = gpu->peak(type); peak > 0.0) {
            ridge = std::max(ridge, peak / gpu->memoryBytesPerSecond);
            addRoof(gpu->memoryBytesPerSecond, peak,
                    QStringLiteral("%1 %2").arg(QString::fromStdString(type),
                                                QString::number(peak / 1e12, 'g', 4)));
        }
    }
    // To the left above the middle of the memory's line as far as it is seen.
    const double slope = gpu->memoryBytesPerSecond / 1e12;
    const double from = std::max(xAxis->range().lower, yAxis->range().lower / slope);
    const double to = std::min(ridge, yAxis->range().upper / slope);
    if (from >= to) {
        return;
    }
    const double middle = std::sqrt(from * to);
    addLabel(middle, slope * middle,
             tr("%1 GB/s").arg(QString::number(gpu->memoryBytesPerSecond / 1e9, 'g', 5)));
}

// Along the memory's line up to where the peak begins, then along that.
void RooflineChart::addRoof(double bandwidth, double peak, const QString& label) {
    const double ridge = peak / bandwidth;
    const QCPRange x = xAxis->range();
    auto* roof = addGraph();
    roof->setPen(line(style::Theme::current().mutedText(), 1.5));
    QVector<double> xs{std::min(x.lower, ridge), ridge, std::max(x.upper, ridge)};
    QVector<double> ys{bandwidth / 1e12 * xs[0], peak / 1e12, peak / 1e12};
    roof->setData(xs, ys, true);
    addLabel(x.upper, peak / 1e12, label);
}

void RooflineChart::addLabel(double x, double y, const QString& text) {
    auto* label = new QCPItemText(this);
    label->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    label->position->setCoords(x, y);
    label->setPadding(QMargins(3, 0, 3, 2));
    label->setText(text);
    label->setFont(font());
    label->setColor(style::Theme::current().mutedText());
}

void RooflineChart::drawPoints() {
    const style::Theme& theme = style::Theme::current();
    for (const std::uint32_t row : m_points) {
        const model::RooflineRow& one = m_roofline->rows[row];
        QColor color = theme.nameColor(one.name);
        auto* point = new QCPItemTracer(this);
        point->setStyle(QCPItemTracer::tsCircle);
        point->setSize(2.0 * radiusOf(one));
        point->position->setCoords(*one.intensity(), one.teraflopsPerSecond());
        const bool stands = !m_anyChosen || m_chosen[row];
        color.setAlphaF(stands ? kPoint : kUnchosen);
        point->setBrush(color);
        point->setPen(line(m_anyChosen && stands ? theme.selection() : color,
                           m_anyChosen && stands ? 2.0 : 1.0));
    }
}

void RooflineChart::mousePressEvent(QMouseEvent* event) {
    if (hint().isEmpty() && event->button() == Qt::LeftButton) {
        m_pressed = event->position();
        m_frame = QRectF();
    }
}

void RooflineChart::mouseMoveEvent(QMouseEvent* event) {
    if (!m_pressed) {
        Chart::mouseMoveEvent(event);
        return;
    }
    const QPointF moved = event->position() - *m_pressed;
    if (!m_frame.isEmpty() || moved.manhattanLength() >= QApplication::startDragDistance()) {
        m_frame = QRectF(*m_pressed, event->position()).normalized();
        update();
    }
}

void RooflineChart::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_pressed || event->button() != Qt::LeftButton) {
        return;
    }
    const QRectF frame = std::exchange(m_frame, QRectF());
    const QPointF at = *std::exchange(m_pressed, std::nullopt);
    update();
    if (frame.isEmpty()) {
        if (const auto row = rowAt(at)) {
            emit rowClicked(*row);
        } else {
            emit rowsFramed({});
        }
        return;
    }
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t row : m_points) {
        if (frame.contains(*placeOf(row))) {
            rows.push_back(row);
        }
    }
    emit rowsFramed(rows);
}

void RooflineChart::paintEvent(QPaintEvent* event) {
    Chart::paintEvent(event);
    if (!m_frame.isEmpty()) {
        QPainter painter(this);
        painter.setPen(style::Theme::current().selection());
        painter.setBrush(style::Theme::current().rangeFill());
        painter.drawRect(m_frame);
    }
}

QString RooflineChart::toolTipAt(QPointF at) const {
    const auto row = rowAt(at);
    if (!row) {
        return {};
    }
    const model::RooflineRow& one = m_roofline->rows[*row];
    QString text = style::shownText(one.name);
    if (!one.shapes.empty()) {
        text += QLatin1Char('\n') + style::shownText(one.shapes);
    }
    text +=
        QLatin1Char('\n') +
        tr("%1 in %2 calls, %3 TFLOP/s, %4 GB/s")
            .arg(QString::fromStdString(text::formatDuration(one.timeNs)),
                 QString::fromStdString(text::formatCount(static_cast<std::int64_t>(one.count))),
                 QString::number(one.teraflopsPerSecond(), 'f', 2),
                 QString::number(one.gigabytesPerSecond(), 'f', 0));
    if (one.efficiency) {
        text += QLatin1Char('\n') +
                tr("%1 of the roof, bound by %2")
                    .arg(QString::fromStdString(text::formatPercent(*one.efficiency, 1.0)),
                         QString::fromUtf8(model::boundName(one.bound).data()));
    }
    return one.note.empty() ? text : text + QLatin1Char('\n') + QString::fromStdString(one.note);
}

}  // namespace kinetoscope::plots
