// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/Text.h"

#include "core/report/Explain.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

QString figureTip(std::string_view key) {
    const report::FigureText* figure = report::explainFigure(key);
    return figure == nullptr
               ? QString()
               : style::plainToolTip(toText(figure->definition), toText(figure->title));
}

}  // namespace kinetoscope::models
