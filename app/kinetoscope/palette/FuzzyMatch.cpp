// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/palette/FuzzyMatch.h"

#include <QStringList>
#include <algorithm>
#include <limits>

namespace kinetoscope::app {

namespace {

constexpr int kFirstLetter = 8;
constexpr int kBeginsWord = 6;
constexpr int kFollows = 7;
constexpr int kInsideWord = -2;
constexpr int kNoWay = std::numeric_limits<int>::min() / 2;
constexpr qsizetype kMaxLetters = 200;  // of a text; the rest is not searched

int worthOfPlace(QStringView text, qsizetype at) {
    if (at == 0) {
        return kFirstLetter;
    }
    const QChar before = text[at - 1];
    const bool begins = !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper()) ||
                        (before.isLetter() && text[at].isNumber());
    return begins ? kBeginsWord : kInsideWord;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(QStringView typed, QStringView text) {
    text = text.first(std::min(text.size(), kMaxLetters));
    const auto width = static_cast<std::size_t>(text.size());
    const auto rows = static_cast<std::size_t>(typed.size());
    if (rows == 0) {
        return FuzzyMatch{};
    }
    if (rows > width) {
        return std::nullopt;
    }
    // best[row][at]: the letters up to `row`, the last of them at `at`.
    std::vector<std::vector<int>> best(rows, std::vector<int>(width, kNoWay));
    std::vector<std::vector<std::size_t>> from(rows, std::vector<std::size_t>(width, width));
    for (std::size_t row = 0; row < rows; ++row) {
        const QChar letter = typed[static_cast<qsizetype>(row)].toCaseFolded();
        std::size_t bestBefore = width;  // place of the row before, left of `at`
        for (std::size_t at = 0; at < width; ++at) {
            if (row > 0 && at > 0 && best[row - 1][at - 1] > kNoWay &&
                (bestBefore == width || best[row - 1][at - 1] > best[row - 1][bestBefore])) {
                bestBefore = at - 1;
            }
            if (text[static_cast<qsizetype>(at)].toCaseFolded() != letter) {
                continue;
            }
            const int worth = worthOfPlace(text, static_cast<qsizetype>(at));
            if (row == 0) {
                best[row][at] = worth;
                continue;
            }
            if (bestBefore != width) {
                best[row][at] = best[row - 1][bestBefore] + worth;
                from[row][at] = bestBefore;
            }
            if (at > 0 && best[row - 1][at - 1] > kNoWay) {
                const int follows = best[row - 1][at - 1] + std::max(worth, kFollows);
                if (follows >= best[row][at]) {
                    best[row][at] = follows;
                    from[row][at] = at - 1;
                }
            }
        }
    }
    const auto last = std::ranges::max_element(best.back());
    if (*last == kNoWay) {
        return std::nullopt;
    }
    FuzzyMatch match{*last, std::vector<qsizetype>(rows)};
    auto at = static_cast<std::size_t>(last - best.back().begin());
    for (std::size_t row = rows; row-- > 0; at = from[row][at]) {
        match.letters[row] = static_cast<qsizetype>(at);
    }
    return match;
}

std::optional<FuzzyMatch> fuzzyMatchWords(const QString& typed, const QString& title,
                                          const QString& detail) {
    FuzzyMatch all;
    for (const QString& word : typed.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (const auto inTitle = fuzzyMatch(word, title)) {
            all.score += inTitle->score;
            all.letters.insert(all.letters.end(), inTitle->letters.begin(), inTitle->letters.end());
        } else if (const auto inDetail = fuzzyMatch(word, detail)) {
            all.score += inDetail->score / 2;
        } else {
            return std::nullopt;
        }
    }
    std::ranges::sort(all.letters);
    const auto twice = std::ranges::unique(all.letters);
    all.letters.erase(twice.begin(), twice.end());
    return all;
}

}  // namespace kinetoscope::app
