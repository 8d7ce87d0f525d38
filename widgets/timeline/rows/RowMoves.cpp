// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/rows/RowMoves.h"

#include <algorithm>

namespace kinetoscope::timeline {

namespace {

bool areSiblings(const TimelineRow& a, const TimelineRow& b) {
    return a.pinned == b.pinned && (a.pinned || a.group == b.group);
}

/// Rows on screen among which one can be moved, itself too, in their order.
std::vector<std::size_t> siblingsOf(const TimelineRows& rows, std::size_t row) {
    std::vector<std::size_t> found;
    for (std::size_t other = 0; other < rows.rows().size(); ++other) {
        if (areSiblings(rows.rows()[other], rows.rows()[row])) {
            found.push_back(other);
        }
    }
    return found;
}

/// Below a row and, for a heading, below the rows of its group.
int bottomOf(const TimelineRows& rows, std::size_t row) {
    const auto& all = rows.rows();
    std::size_t last = row;
    while (all[row].kind == RowKind::Group && last + 1 < all.size() &&
           all[last + 1].group == all[row].key) {
        ++last;
    }
    return all[last].bottom();
}

}  // namespace

std::optional<RowDrop> dropAt(const TimelineRows& rows, const RowView& view, std::size_t row,
                              int y) {
    const std::vector<std::size_t> siblings = siblingsOf(rows, row);
    const auto& all = rows.rows();
    const int content = y - rows.shift(all[row], view);
    std::size_t at = 0;
    while (at < siblings.size() &&
           (all[siblings[at]].top + bottomOf(rows, siblings[at])) / 2 <= content) {
        ++at;
    }
    const auto own = static_cast<std::size_t>(std::ranges::find(siblings, row) - siblings.begin());
    if (at == own || at == own + 1) {
        return std::nullopt;
    }
    const bool last = at == siblings.size();
    const int top = last ? bottomOf(rows, siblings.back()) : all[siblings[at]].top;
    return RowDrop{last ? std::string() : all[siblings[at]].key, top + rows.shift(all[row], view)};
}

void moveRow(session::RowChoices& choices, const TimelineRows& rows, std::size_t row,
             const std::string& before) {
    const TimelineRow& moved = rows.rows()[row];
    const std::vector<std::size_t> siblings = siblingsOf(rows, row);
    std::vector<std::string> keys = moved.pinned ? choices.pinned : rows.keysIn(moved.group);
    std::erase(keys, moved.key);
    auto place = std::ranges::find(keys, before);
    if (before.empty()) {
        // Behind the last one on screen: what is hidden stays where it is.
        std::size_t last = siblings.size();
        while (last > 0 && siblings[last - 1] == row) {
            --last;
        }
        place =
            last == 0 ? keys.end() : std::ranges::find(keys, rows.rows()[siblings[last - 1]].key);
        place += place == keys.end() ? 0 : 1;
    }
    keys.insert(place, moved.key);
    if (moved.pinned) {
        choices.pinned = std::move(keys);
    } else {
        choices.order[moved.group] = std::move(keys);
    }
}

std::optional<std::string> placeBeside(const TimelineRows& rows, std::size_t row, bool up) {
    const std::vector<std::size_t> siblings = siblingsOf(rows, row);
    const auto own = static_cast<std::size_t>(std::ranges::find(siblings, row) - siblings.begin());
    if (up) {
        return own == 0 ? std::nullopt : std::optional(rows.rows()[siblings[own - 1]].key);
    }
    if (own + 1 >= siblings.size()) {
        return std::nullopt;
    }
    return own + 2 < siblings.size() ? rows.rows()[siblings[own + 2]].key : std::string();
}

}  // namespace kinetoscope::timeline
