// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/RowChoices.h"

#include <algorithm>
#include <unordered_set>

namespace kinetoscope::session {

bool RowChoices::isPinned(std::string_view key) const {
    return std::ranges::find(pinned, key) != pinned.end();
}

void RowChoices::pin(const std::string& key, bool wanted) {
    std::erase(pinned, key);
    if (wanted) {
        pinned.push_back(key);
        hidden.erase(key);
    }
}

void RowChoices::hide(const std::string& key, bool wanted) {
    if (wanted) {
        hidden.insert(key);
        std::erase(pinned, key);
    } else {
        hidden.erase(key);
    }
}

void RowChoices::fold(const std::string& group, bool wanted) {
    if (wanted) {
        folded.insert(group);
    } else {
        folded.erase(group);
    }
}

std::vector<std::string> inOrder(const std::vector<std::string>& usual,
                                 const std::vector<std::string>& wanted) {
    if (wanted.empty()) {
        return usual;
    }
    const std::unordered_set<std::string> there(usual.begin(), usual.end());
    std::unordered_set<std::string> placed;
    std::vector<std::string> result;
    for (const std::string& key : wanted) {
        if (there.contains(key) && placed.insert(key).second) {
            result.push_back(key);
        }
    }
    auto next = result.begin();  // behind the one that usually comes before
    for (const std::string& key : usual) {
        if (placed.contains(key)) {
            next = std::ranges::find(result, key) + 1;
        } else {
            next = result.insert(next, key) + 1;
        }
    }
    return result;
}

}  // namespace kinetoscope::session
