// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/OperatorSpeedupChart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/plots/RatioAxis.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr double kSlotWidth = 0.7;  // of the distance between two operators
constexpr double kMin = 8.0;        // operators that fill the width; fewer stand in its middle
constexpr int kMinLabelRoom = 15;   // pixels of width for one turned name
constexpr int kMinLabelHeight = 260;
constexpr int kMaxOperatorLetters = 22;

// "aten.add.Tensor" without what nearly all names begin and end with.
QString shortName(const std::string& name) {
    QString shown = style::shownText(std::string_view(name));
    if (shown.startsWith(QLatin1String("aten."))) {
        shown.remove(0, 5);
    }
    if (shown.endsWith(QLatin1String(".default"))) {
        shown.chop(8);
    }
    return shown.size() <= kMaxOperatorLetters
               ? shown
               : shown.left(kMaxOperatorLetters - 1) + QChar(0x2026);
}

}  // namespace

OperatorSpeedupChart::OperatorSpeedupChart(QWidget* parent) : Chart(parent) {
    setWhatsThis(
        tr("Speedup of each operator over eager PyTorch on the same input: a bar from the 0.2 to "
           "the 0.8 quantile of its samples, a mark at the median, a line at 1."));
    refill();
}

void OperatorSpeedupChart::setDocument(const bench::results::ResultDocument* document) {
    m_document = document;
    m_selected = -1;
    refill();
}

void OperatorSpeedupChart::select(int index) {
    m_selected = index;
    refill();
}

QColor OperatorSpeedupChart::colorOf(const std::string& implementation) const {
    const style::Theme& theme = style::Theme::current();
    return implementation == "inductor"  ? theme.good()
           : implementation == "nvfuser" ? theme.communication()
                                         : theme.accent();
}

void OperatorSpeedupChart::sortOperators() {
    m_candidates.clear();
    m_order.clear();
    if (m_document == nullptr) {
        return;
    }
    const auto has = [](const std::string& name) {
        return
            [name](const bench::results::BenchItem& one) { return one.speedups(name).has_value(); };
    };
    for (const std::string& name : m_document->options.implementations) {
        if (name != bench::results::kBaseline &&
            std::ranges::any_of(m_document->items, has(name))) {
            m_candidates.push_back(name);
        }
    }
    std::vector<std::pair<double, int>> keyed;
    for (std::size_t i = 0; i < m_document->items.size(); ++i) {
        for (const std::string& name : m_candidates) {
            if (const auto speedups = m_document->items[i].speedups(name)) {
                keyed.emplace_back((*speedups)[1], static_cast<int>(i));
                break;
            }
        }
    }
    std::ranges::stable_sort(keyed);
    for (const auto& [median, index] : keyed) {
        m_order.push_back(index);
    }
}

double OperatorSpeedupChart::widthOfOne() const {
    return kSlotWidth / static_cast<double>(std::max<std::size_t>(m_candidates.size(), 1));
}

double OperatorSpeedupChart::placeOf(std::size_t at, std::size_t candidate) const {
    const double first = (widthOfOne() - kSlotWidth) / 2.0;
    return static_cast<double>(at) + first + static_cast<double>(candidate) * widthOfOne();
}

void OperatorSpeedupChart::addRanges(std::size_t candidate) {
    const std::string& name = m_candidates[candidate];
    const QColor color = colorOf(name);
    QColor faint = color;
    faint.setAlphaF(0.4F);
    auto* box = new QCPStatisticalBox(xAxis, yAxis);
    box->setName(style::shownText(std::string_view(name)));
    box->setPen(line(color));
    box->setBrush(faint);
    box->setMedianPen(line(color, 2.5));
    box->setWhiskerPen(Qt::NoPen);
    box->setWhiskerBarPen(Qt::NoPen);
    box->setWidth(widthOfOne() * 0.9);
    for (std::size_t at = 0; at < m_order.size(); ++at) {
        const auto& result = m_document->items[static_cast<std::size_t>(m_order[at])];
        if (const auto q = result.speedups(name)) {
            box->addData(placeOf(at, candidate), (*q)[0], (*q)[0], (*q)[1], (*q)[2], (*q)[2]);
        }
    }
}

void OperatorSpeedupChart::labelOperators() {
    const auto room = static_cast<std::size_t>(std::max(width() - 90, 0)) / kMinLabelRoom;
    const bool named = m_order.size() <= room && height() >= kMinLabelHeight;
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (std::size_t at = 0; named && at < m_order.size(); ++at) {
        const auto index = static_cast<std::size_t>(m_order[at]);
        ticker->addTick(static_cast<double>(at), shortName(m_document->items[index].name));
    }
    xAxis->setTicker(ticker);
    xAxis->setTickLabelRotation(named && m_order.size() > 3 ? -55.0 : 0.0);
    xAxis->grid()->setPen(Qt::NoPen);
    xAxis->setLabel(named ? QString()
                    : m_order.size() == 1
                        ? tr("1 operator")
                        : tr("%1 operators, slowest to fastest").arg(m_order.size()));
}

void OperatorSpeedupChart::markSelected() {
    const auto found = std::ranges::find(m_order, m_selected);
    if (found == m_order.end()) {
        return;
    }
    const auto at = static_cast<double>(found - m_order.begin());
    auto* mark = new QCPItemRect(this);
    mark->setLayer(QStringLiteral("background"));
    QColor fill = style::Theme::current().selection();
    fill.setAlphaF(0.15F);
    mark->setPen(line(style::Theme::current().selection()));
    mark->setBrush(fill);
    for (QCPItemPosition* corner : {mark->topLeft, mark->bottomRight}) {
        corner->setTypeX(QCPItemPosition::ptPlotCoords);
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    mark->topLeft->setCoords(at - 0.5, 0.0);
    mark->bottomRight->setCoords(at + 0.5, 1.0);
}

void OperatorSpeedupChart::drawContents() {
    sortOperators();
    if (m_order.empty()) {
        setHint(m_document == nullptr
                    ? tr("Choose inputs and press Run, or open a saved result, to see how much "
                         "faster than eager each operator's implementations are.")
                    : tr("No operator has a speedup yet."));
        return;
    }
    double least = 1.0;
    double most = 1.0;
    for (std::size_t candidate = 0; candidate < m_candidates.size(); ++candidate) {
        addRanges(candidate);
        for (const int index : m_order) {
            const auto& result = m_document->items[static_cast<std::size_t>(index)];
            if (const auto q = result.speedups(m_candidates[candidate])) {
                least = std::min(least, (*q)[0]);
                most = std::max(most, (*q)[2]);
            }
        }
    }
    addRule(1.0);
    setRatioAxis(yAxis, least, most);
    yAxis->setLabel(height() < kMinLabelHeight ? tr("speedup") : tr("speedup over eager"));
    const auto count = static_cast<double>(m_order.size());
    const double margin = 0.3 + std::max(kMin - count, 0.0) / 2.0;
    xAxis->setRange(-0.5 - margin, count - 0.5 + margin);
    labelOperators();
    markSelected();
    addLegend();
}

int OperatorSpeedupChart::operatorAt(QPointF at) const {
    const auto place = std::lround(xAxis->pixelToCoord(at.x()));
    return place < 0 || place >= static_cast<long>(m_order.size())
               ? -1
               : m_order[static_cast<std::size_t>(place)];
}

QRectF OperatorSpeedupChart::rangeRect(int index, const std::string& implementation) const {
    const auto found = std::ranges::find(m_order, index);
    const auto candidate = std::ranges::find(m_candidates, implementation);
    if (found == m_order.end() || candidate == m_candidates.end()) {
        return {};
    }
    const auto q = m_document->items[static_cast<std::size_t>(index)].speedups(implementation);
    if (!q) {
        return {};
    }
    const double middle = placeOf(static_cast<std::size_t>(found - m_order.begin()),
                                  static_cast<std::size_t>(candidate - m_candidates.begin()));
    const double half = widthOfOne() * 0.45;
    return QRectF(QPointF(xAxis->coordToPixel(middle - half), yAxis->coordToPixel((*q)[2])),
                  QPointF(xAxis->coordToPixel(middle + half), yAxis->coordToPixel((*q)[0])));
}

QString OperatorSpeedupChart::toolTipAt(QPointF at) const {
    const int index = operatorAt(at);
    if (index < 0) {
        return {};
    }
    const bench::results::BenchItem& result = m_document->items[static_cast<std::size_t>(index)];
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    QString tip = style::shownText(std::string_view(result.name));
    for (const std::string& name : m_candidates) {
        if (const auto q = result.speedups(name)) {
            tip += tr("\n%1: median %2, 20 to 80 %: %3 to %4")
                       .arg(style::shownText(std::string_view(name)), number((*q)[1]),
                            number((*q)[0]), number((*q)[2]));
        }
    }
    return tip + tr("\n%1 of %2 samples measured").arg(result.partsRun()).arg(result.parts.size());
}

void OperatorSpeedupChart::clicked(QPointF at) {
    if (const int index = operatorAt(at); index >= 0) {
        emit operatorClicked(index);
    }
}

void OperatorSpeedupChart::resizeEvent(QResizeEvent* event) {
    Chart::resizeEvent(event);
    if (!m_order.empty()) {
        refill();  // names come and go with the room for them
    }
}

}  // namespace kinetoscope::plots
