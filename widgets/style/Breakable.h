// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace kinetoscope::style {

/// For lines that wrap: names of kernels have no spaces, at which lines would break; short words
/// break well without. What is added has no width.
[[nodiscard]] inline QString breakable(const QString& text) {
    constexpr qsizetype kLongWord = 24;
    QStringList words = text.split(QLatin1Char(' '));
    for (QString& word : words) {
        if (word.size() > kLongWord) {
            word.replace(QLatin1String("::"), QStringLiteral("::\u200b"))
                .replace(QLatin1Char(','), QStringLiteral(",\u200b"))
                .replace(QLatin1Char('<'), QStringLiteral("<\u200b"))
                .replace(QLatin1Char('/'), QStringLiteral("/\u200b"))
                .replace(QLatin1Char('_'), QStringLiteral("_\u200b"));
        }
    }
    return words.join(QLatin1Char(' '));
}

}  // namespace kinetoscope::style
