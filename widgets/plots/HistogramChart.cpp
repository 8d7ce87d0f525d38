// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/HistogramChart.h"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr double kZeroPlace = 0.5;  // of durations of 0 on a logarithmic axis
constexpr int kLabelRows = 2;       // above the highest bin
constexpr int kAxisRoom = 60;       // pixels of the x axis and the margins
constexpr double kLabelGap = 3.0;
constexpr int kFewDigits = 4;  // of a time at the axis
constexpr int kMostDigits = 15;
constexpr float kUnbrushed = 0.3F;  // opacity of bins beside the brush

/// "10 µs", "2.5 ms".
QString shortTime(double ns, int digits) {
    constexpr std::array<std::pair<double, const char*>, 4> kUnits{
        {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1.0, "ns"}}};
    for (const auto& [size, name] : kUnits) {
        if (std::abs(ns) >= size || size == 1.0) {
            return QStringLiteral("%1 %2").arg(QString::number(ns / size, 'g', digits),
                                               QString::fromUtf8(name));
        }
    }
    return {};
}

template <class Ticker>
class TimeTicker final : public Ticker {
protected:
    // As short as all of them differ.
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale&, QChar,
                                       int) override {
        QVector<QString> labels;
        for (int digits = kFewDigits; digits <= kMostDigits; ++digits) {
            labels.clear();
            for (const double tick : ticks) {
                labels.append(shortTime(tick, digits));
            }
            if (std::ranges::adjacent_find(labels) == labels.end()) {
                break;
            }
        }
        return labels;
    }
};

struct Mark {
    double at;  // in the units of the x axis
    QString label;
};

/// Dashed lines across the plot and their labels, which no line crosses. Where labels are crowded,
/// one moves into the second row or, if that is taken too, is left out.
class QuantileMarks final : public QCPAbstractItem {
public:
    QuantileMarks(QCustomPlot* plot, std::vector<Mark> marks)
        : QCPAbstractItem(plot), m_marks(std::move(marks)) {}

    /// Each beside its line; empty where there is no room.
    std::vector<QRectF> labels() const {
        const QFontMetricsF metrics(mParentPlot->font());
        const QRectF area = clipRect();
        std::array<double, kLabelRows> ends;
        ends.fill(area.left());
        std::vector<QRectF> places;
        for (const Mark& mark : m_marks) {
            const double x = mParentPlot->xAxis->coordToPixel(mark.at);
            const double width = metrics.horizontalAdvance(mark.label) + 2 * kLabelGap;
            const double left = x + 1 + width > area.right() ? x - 1 - width : x + 1;
            const auto row = std::ranges::find_if(ends, [&](double end) { return end <= left; });
            QRectF place;
            if (row != ends.end()) {
                const auto above = static_cast<double>(row - ends.begin());
                place = {left, area.top() + above * metrics.height(), width, metrics.height()};
                *row = place.right();
            }
            places.push_back(place);
        }
        return places;
    }

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1.0; }

protected:
    void draw(QCPPainter* painter) override {
        const style::Theme& theme = style::Theme::current();
        const QRectF area = clipRect();
        QPen dashed(theme.mutedText(), 1.0, Qt::DashLine);
        dashed.setCosmetic(true);
        painter->setPen(dashed);
        for (const Mark& mark : m_marks) {
            const double x = mParentPlot->xAxis->coordToPixel(mark.at);
            painter->drawLine(QLineF(x, area.top(), x, area.bottom()));
        }
        painter->setFont(mParentPlot->font());
        const std::vector<QRectF> places = labels();
        for (std::size_t i = 0; i < places.size(); ++i) {
            painter->fillRect(places[i], theme.base());
            painter->drawText(places[i], Qt::AlignCenter, m_marks[i].label);
        }
    }

private:
    std::vector<Mark> m_marks;
};

}  // namespace

HistogramChart::HistogramChart(session::DurationState& state, QWidget* parent)
    : Chart(parent), m_state(state) {
    setObjectName(QStringLiteral("durationChart"));
    connect(&state, &session::DurationState::changed, this, &HistogramChart::refill);
    connect(&state, &session::DurationState::brushChanged, this, &HistogramChart::refill);
    setWhatsThis(
        tr("Number of slices by duration, or their total time. Dashed lines are quantiles (linear "
           "interpolation), the solid line is the selected slice. Drag to choose bars."));
    refill();
}

void HistogramChart::setHeight(Height height) {
    m_height = height;
    refill();
}

void HistogramChart::setEmptyText(const QString& text) {
    if (text != m_emptyText) {
        m_emptyText = text;
        refill();
    }
}

const HistogramChart::Bins& HistogramChart::bins() const {
    static const Bins kNone;
    return m_state.result() ? m_state.result()->bins : kNone;
}

double HistogramChart::heightOf(const stats::DurationBin& bin) const {
    return m_height == Height::Count ? static_cast<double>(bin.count)
                                     : static_cast<double>(bin.total);
}

double HistogramChart::place(double ns) const {
    return m_state.scale() == stats::BinScale::Logarithmic ? std::max(ns, kZeroPlace) : ns;
}

double HistogramChart::xOf(double ns) const {
    return xAxis->coordToPixel(place(ns));
}

QRectF HistogramChart::binRect(std::size_t index) const {
    const stats::DurationBin& bin = bins()[index];
    return QRectF(QPointF(xOf(static_cast<double>(bin.from)), yAxis->coordToPixel(heightOf(bin))),
                  QPointF(xOf(static_cast<double>(bin.to)), yAxis->coordToPixel(0.0)))
        .normalized();
}

void HistogramChart::drawContents() {
    if (bins().empty()) {
        setHint(m_emptyText.isEmpty() ? QStringLiteral(" ") : m_emptyText);
        return;
    }
    drawAxes();
    drawBins();
    drawLines();
}

void HistogramChart::drawAxes() {
    const bool logarithmic = m_state.scale() == stats::BinScale::Logarithmic;
    if (logarithmic) {
        xAxis->setScaleType(QCPAxis::stLogarithmic);
        xAxis->setTicker(QSharedPointer<TimeTicker<QCPAxisTickerLog>>::create());
    } else {
        xAxis->setTicker(QSharedPointer<TimeTicker<QCPAxisTicker>>::create());
    }
    xAxis->setLabel(tr("Duration"));
    xAxis->setRange(place(static_cast<double>(bins().front().from)),
                    place(static_cast<double>(bins().back().to)));
    double highest = 0.0;
    for (const stats::DurationBin& bin : bins()) {
        highest = std::max(highest, heightOf(bin));
    }
    if (m_height == Height::Time) {
        yAxis->setTicker(QSharedPointer<TimeTicker<QCPAxisTicker>>::create());
    } else {
        yAxis->setTicker(QSharedPointer<CountTicker>::create());
    }
    yAxis->setLabel(m_height == Height::Count ? tr("Slices") : tr("Total time"));
    const int labels = kLabelRows * fontMetrics().height();
    const double room = std::max(height() - kAxisRoom, 2 * labels);
    yAxis->setRange(0.0, std::max(highest, 1.0) * room / (room - labels));
}

void HistogramChart::drawBins() {
    const auto brush = m_dragged ? m_dragged : m_state.brush();
    for (const stats::DurationBin& bin : bins()) {
        if (bin.count == 0) {
            continue;
        }
        QColor color = style::Theme::current().accent();
        if (brush && !brush->contains(bin.from)) {
            color.setAlphaF(kUnbrushed);
        }
        auto* box = new QCPItemRect(this);
        box->topLeft->setCoords(place(static_cast<double>(bin.from)), heightOf(bin));
        box->bottomRight->setCoords(place(static_cast<double>(bin.to)), 0.0);
        box->setBrush(color);
        box->setPen(line(style::Theme::current().base()));
    }
}

void HistogramChart::drawLines() {
    if (const auto selected = m_state.selectedDuration()) {
        auto* rule = new QCPItemStraightLine(this);
        rule->setPen(line(style::Theme::current().selection(), 2.0));
        const double at = place(static_cast<double>(*selected));
        rule->point1->setCoords(at, 0.0);
        rule->point2->setCoords(at, 1.0);
    }
    std::vector<Mark> marks;
    for (std::size_t i = 0; i < session::kDurationQuantiles.size(); ++i) {
        marks.push_back({place(m_state.result()->quantiles[i]),
                         tr("%1 %").arg(qRound(session::kDurationQuantiles[i] * 100))});
    }
    new QuantileMarks(this, std::move(marks));
}

std::vector<QRectF> HistogramChart::quantileLabels() const {
    for (int i = 0; i < itemCount(); ++i) {
        if (const auto* marks = dynamic_cast<const QuantileMarks*>(item(i))) {
            return marks->labels();
        }
    }
    return {};
}

// How high the bins may be depends on the height.
void HistogramChart::resizeEvent(QResizeEvent* event) {
    Chart::resizeEvent(event);
    refill();
}

std::optional<std::size_t> HistogramChart::binAt(QPointF at) const {
    if (bins().empty()) {
        return std::nullopt;
    }
    const double ns = xAxis->pixelToCoord(at.x());
    const auto after = std::ranges::upper_bound(
        bins(), ns, {}, [this](const auto& bin) { return place(static_cast<double>(bin.from)); });
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - bins().begin() - 1));
}

std::optional<TimeSpan> HistogramChart::dragged(QPointF to) const {
    const auto bin = binAt(to);
    if (!m_pressed || !bin || *m_pressed >= bins().size()) {
        return std::nullopt;
    }
    const auto [first, last] = std::minmax(*m_pressed, *bin);
    // The last bin takes the longest duration, even where no time lies beyond it.
    return TimeSpan{bins()[first].from, bins()[last].to};
}

void HistogramChart::mousePressEvent(QMouseEvent* event) {
    if (hint().isEmpty() && event->button() == Qt::LeftButton) {
        m_pressed = binAt(event->position());
        m_dragged.reset();
    }
}

void HistogramChart::mouseMoveEvent(QMouseEvent* event) {
    if (!m_pressed) {
        Chart::mouseMoveEvent(event);
        return;
    }
    const auto now = dragged(event->position());
    if (now != m_dragged) {
        m_dragged = now;
        refill();
    }
}

void HistogramChart::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_pressed || event->button() != Qt::LeftButton) {
        return;
    }
    const auto brush = dragged(event->position());
    m_pressed.reset();
    m_dragged.reset();
    m_state.setBrush(brush == m_state.brush() ? std::nullopt : brush);
    refill();
}

QString HistogramChart::toolTipAt(QPointF at) const {
    const auto index = binAt(at);
    if (!index || !axisRect()->rect().contains(at.toPoint())) {
        return {};
    }
    const stats::DurationBin& bin = bins()[*index];
    const auto time = [](TimeNs ns) { return QString::fromStdString(text::formatDuration(ns)); };
    return tr("%1 to %2: %3 slices, %4 in total")
        .arg(time(bin.from), time(bin.to),
             QString::fromStdString(text::formatCount(static_cast<std::int64_t>(bin.count))),
             time(bin.total));
}

}  // namespace kinetoscope::plots
