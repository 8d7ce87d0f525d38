// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/programs/CommandWords.h"

#include <utility>

namespace kinetoscope::session {

// QProcess::splitCommand() has other rules, and loses empty words.
std::optional<QStringList> splitCommandWords(const QString& text) {
    // In double quotes a backslash stands for itself before any other letter.
    const QString special = QStringLiteral("\\\"$`");
    QStringList words;
    QString word;
    bool begun = false;
    QChar quote;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar letter = text[at];
        if (quote.isNull() && letter.isSpace()) {
            if (begun) {
                words << std::exchange(word, QString());
            }
            begun = false;
            continue;
        }
        begun = true;
        if (letter == quote) {
            quote = QChar();
        } else if (quote.isNull() && (letter == u'\'' || letter == u'"')) {
            quote = letter;
        } else if (letter == u'\\' && quote != u'\'') {
            if (++at == text.size()) {
                return std::nullopt;
            }
            if (quote == u'"' && !special.contains(text[at])) {
                word += letter;
            }
            word += text[at];
        } else {
            word += letter;
        }
    }
    if (!quote.isNull()) {
        return std::nullopt;
    }
    if (begun) {
        words << word;
    }
    return words;
}

}  // namespace kinetoscope::session
