// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>

namespace kinetoscope::style {

/// For text that wraps: names of kernels have no spaces at which lines could break; short words
/// break well without. GammaBetaBackwardKernel breaks at its capitals, names without any after some
/// letters. Adds characters without width.
[[nodiscard]] inline QString breakable(const QString& text) {
    constexpr qsizetype kLongWord = 24;
    static const QRegularExpression kCapital(QStringLiteral("([a-z])(?=[A-Z])"));
    static const QRegularExpression kLongRun(QStringLiteral("([^\u200b]{16})(?=[^\u200b]{8})"));
    QStringList words = text.split(QLatin1Char(' '));
    for (QString& word : words) {
        if (word.size() > kLongWord) {
            word.replace(QLatin1String("::"), QStringLiteral("::\u200b"))
                .replace(QLatin1Char(','), QStringLiteral(",\u200b"))
                .replace(QLatin1Char('<'), QStringLiteral("<\u200b"))
                .replace(QLatin1Char('/'), QStringLiteral("/\u200b"))
                .replace(QLatin1Char('_'), QStringLiteral("_\u200b"))
                .replace(kCapital, QStringLiteral("\\1\u200b"))
                .replace(kLongRun, QStringLiteral("\\1\u200b"));
        }
    }
    return words.join(QLatin1Char(' '));
}

}  // namespace kinetoscope::style
