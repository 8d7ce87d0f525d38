// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/Text.h"

#include <QLocale>
#include <cmath>

#include "core/report/Explain.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

QString figureTip(std::string_view key) {
    const report::FigureText* figure = report::explainFigure(key);
    return figure == nullptr
               ? QString()
               : style::plainToolTip(toText(figure->definition), toText(figure->title));
}

QString plainNumber(double value) {
    constexpr double kMaxWhole = 9007199254740992.0;  // 2^53: beyond it doubles have gaps
    if (std::isnan(value)) {
        return {};
    }
    const bool whole = std::abs(value) < kMaxWhole && value == std::floor(value);
    return whole ? QString::number(value, 'f', 0)
                 : QString::number(value, 'g', QLocale::FloatingPointShortest);
}

}  // namespace kinetoscope::models
