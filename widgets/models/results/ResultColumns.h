// SPDX-License-Identifier: GPL-3.0-or-later
// How the tables of results make their columns.
#pragma once

#include <cmath>
#include <limits>

#include "widgets/models/Text.h"
#include "widgets/models/results/ResultTables.h"

namespace kinetoscope::models {

inline constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kNsPerUsShown = 1e3;
inline constexpr double kNsPerMsShown = 1e6;

/// `decimals` of the figure over `unit`, or so many `digits` in all, and what stands behind it.
struct FigureForm {
    double unit = 1.0;
    int decimals = 0;
    const char* suffix = "";
    int digits = 0;

    [[nodiscard]] QString text(double value) const {
        return std::isnan(value) ? QString()
                                 : QString::number(value / unit, digits > 0 ? 'g' : 'f',
                                                   digits > 0 ? digits : decimals) +
                                       QString::fromUtf8(suffix);
    }
};

[[nodiscard]] inline TableColumn resultColumn(const QString& key, const QString& header,
                                              const QString& toolTip, bool isText) {
    return {key, header, toolTip, isText ? Qt::AlignLeft : Qt::AlignRight, !isText};
}

[[nodiscard]] inline ResultColumn textColumn(const char* key, const QString& header,
                                             const QString& toolTip, ResultColumn::Text text) {
    return {resultColumn(QLatin1String(key), header, toolTip, true), std::move(text)};
}

template <class Figure>
[[nodiscard]] ResultColumn figureColumn(const QString& key, const QString& header,
                                        const QString& toolTip, Figure figure,
                                        FigureForm form = {}) {
    return {resultColumn(key, header, toolTip, false), nullptr, figure,
            [figure, form](const ResultRow& row) { return form.text(figure(row)); }};
}

[[nodiscard]] inline ResultColumn stateColumn(const QString& toolTip) {
    return {resultColumn(QStringLiteral("state"), QObject::tr("State"), toolTip, true)};
}

}  // namespace kinetoscope::models
