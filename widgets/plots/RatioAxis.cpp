// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/RatioAxis.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kinetoscope::plots {

namespace {

constexpr double kMinSpan = 1.02;  // so that a rule at 1 is not the only thing to see
// Those that matter most first: each comes if it keeps its distance from those before it.
constexpr std::array kRatios{1.0,  2.0, 0.5, 10.0, 0.1, 100.0, 0.01, 5.0, 0.2, 50.0, 0.02, 20.0,
                             0.05, 1.5, 0.7, 3.0,  0.3, 1.2,   0.8,  1.1, 0.9, 1.05, 0.95};
constexpr double kLineRoom = 20.0;  // pixels from one number to the one above it
constexpr double kWordRoom = 40.0;  // and to the one beside it

/// The length of the axis is read at each drawing: it depends on the labels of the other one.
class RatioTicker final : public QCPAxisTicker {
public:
    explicit RatioTicker(const QCPAxis* axis) : m_axis(axis) {}

protected:
    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* labels) override {
        ticks.clear();
        const bool upright = m_axis->orientation() == Qt::Vertical;
        const QSize size = m_axis->axisRect()->size();
        const double reach = std::log(range.upper / range.lower);
        const double room = (upright ? kLineRoom : kWordRoom) * reach /
                            std::max(upright ? size.height() : size.width(), 1);
        for (const double ratio : kRatios) {
            const bool isFree = std::ranges::all_of(
                ticks, [&](double tick) { return std::abs(std::log(tick / ratio)) >= room; });
            if (range.contains(ratio) && isFree) {
                ticks.append(ratio);
            }
        }
        std::ranges::sort(ticks);
        if (subTicks != nullptr) {
            subTicks->clear();
        }
        if (labels != nullptr) {
            labels->clear();
            for (const double tick : ticks) {
                labels->append(QString::number(tick));
            }
        }
    }

private:
    const QCPAxis* m_axis;
};

}  // namespace

void setRatioAxis(QCPAxis* axis, double least, double most) {
    least = std::min(least, 1.0 / kMinSpan);
    most = std::max(most, kMinSpan);
    axis->setScaleType(QCPAxis::stLogarithmic);
    axis->setRange(least / std::pow(most / least, 0.08), most * std::pow(most / least, 0.08));
    axis->setTicker(QSharedPointer<RatioTicker>::create(axis));
}

}  // namespace kinetoscope::plots
