// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/PlainText.h"

#include <algorithm>

namespace kinetoscope::style {

namespace {

// Marks that change the direction of what follows, in which a name could seem to be another one.
bool isDirectionMark(QChar letter) {
    const char16_t code = letter.unicode();
    return code == 0x61c || (code >= 0x200e && code <= 0x200f) ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

QString withVisibleMarks(const QString& text) {
    if (std::none_of(text.begin(), text.end(), isDirectionMark)) {
        return text;
    }
    QString shown;
    for (const QChar letter : text) {
        shown += isDirectionMark(letter)
                     ? QStringLiteral("\\u%1").arg(letter.unicode(), 4, 16, QLatin1Char('0'))
                     : QString(letter);
    }
    return shown;
}

}  // namespace

QString shownText(const QString& text, qsizetype most) {
    if (text.size() <= most) {
        return withVisibleMarks(text);
    }
    const bool splitsPair = text[most - 2].isHighSurrogate();
    return withVisibleMarks(text.left(most - (splitsPair ? 2 : 1))) + QChar(0x2026);
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
