// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/PlainText.h"

#include <algorithm>

namespace kinetoscope::style {

QString shownText(const QString& text, qsizetype most) {
    if (text.size() <= most) {
        return text;
    }
    const bool splitsPair = text[most - 2].isHighSurrogate();
    return text.left(most - (splitsPair ? 2 : 1)) + QChar(0x2026);
}

QString shownText(std::string_view text, qsizetype most) {
    // A letter has at most four bytes.
    const qsizetype bytes = std::min(static_cast<qsizetype>(text.size()), 4 * (most + 1));
    return shownText(QString::fromUtf8(text.data(), bytes), most);
}

QString plainToolTip(const QString& text, const QString& heading) {
    if (text.isEmpty() && heading.isEmpty()) {
        return {};
    }
    const QString body = QStringLiteral("<p style='white-space:pre-wrap'>") +
                         shownText(text, kMaxToolTipLetters).toHtmlEscaped() +
                         QStringLiteral("</p>");
    return heading.isEmpty() ? body
                             : QStringLiteral("<p><b>") + shownText(heading).toHtmlEscaped() +
                                   QStringLiteral("</b></p>") + body;
}

QString plainActionText(const QString& name) {
    QString text = shownText(name);
    for (QChar& letter : text) {
        letter = letter.isSpace() ? QLatin1Char(' ') : letter;
    }
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

}  // namespace kinetoscope::style
