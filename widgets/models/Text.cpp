// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/Text.h"

#include "core/analysis/Explain.h"

namespace kinetoscope {

QString figureTip(std::string_view key) {
    const FigureText* figure = explainFigure(key);
    return figure == nullptr ? QString()
                             : QStringLiteral("<p><b>%1</b></p><p>%2</p>")
                                   .arg(toText(figure->title).toHtmlEscaped(),
                                        toText(figure->definition).toHtmlEscaped());
}

}  // namespace kinetoscope
