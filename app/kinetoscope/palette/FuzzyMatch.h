// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace kinetoscope::app {

/// How well a text fits what was typed.
struct FuzzyMatch {
    int score = 0;                   ///< larger is better
    std::vector<qsizetype> letters;  ///< places in the text that were typed, ascending
};

/// Every letter of `typed` in this order in `text`, without regard to case; of all ways the one
/// that begins most words and leaves out least between. Nullopt: not in there. Empty: fits all.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(QStringView typed, QStringView text);

/// The words of `typed`, in any order, each in `title` or, for half as much, in `detail`. Letters
/// are those of the title.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatchWords(const QString& typed, const QString& title,
                                                        const QString& detail);

}  // namespace kinetoscope::app
