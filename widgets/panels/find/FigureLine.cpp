// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/find/FigureLine.h"

#include <QStringList>
#include <cmath>

#include "core/base/SaturatedTime.h"
#include "core/text/Format.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::panels {

namespace {

constexpr QChar kNoBreak(0x00a0);

}  // namespace

FigureLine::FigureLine(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setContentsMargins(10, 0, 10, 5);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setWhatsThis(
        tr("Number, sum, mean, minimum, quantiles (linear interpolation) and maximum of these "
           "slices' durations. Nested slices also count in their parents."));
    hide();
}

void FigureLine::setFigures(const std::vector<Figure>& figures) {
    QStringList parts;
    for (const auto& [name, value] : figures) {
        QString part = name.isEmpty() ? value : name + QLatin1Char(' ') + value;
        parts.append(part.replace(QLatin1Char(' '), kNoBreak));
    }
    setForegroundRole(QPalette::WindowText);
    setPalette(QPalette());
    setText(parts.join(QStringLiteral("   ")));
    setVisible(!figures.empty());
}

void FigureLine::setSentence(const QString& text, bool error) {
    QPalette palette;
    if (error) {
        palette.setColor(QPalette::WindowText, style::Theme::current().error());
    }
    setPalette(palette);
    setForegroundRole(error ? QPalette::WindowText : QPalette::PlaceholderText);
    setText(style::shownText(text));
    setVisible(!text.isEmpty());
}

FigureLine::Figure timeFigure(const QString& name, TimeNs ns) {
    return {name, QString::fromStdString(text::formatDuration(ns))};
}

FigureLine::Figure timeFigure(const QString& name, double ns) {
    return timeFigure(name, saturatedTime(std::round(ns)));
}

}  // namespace kinetoscope::panels
