// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::session {

/// Which rows of a timeline are shown, and in what order. Groups and rows go by keys that stay as
/// they are while a trace grows and when its file is read again.
struct RowChoices {
    std::set<std::string, std::less<>> folded;  ///< groups
    std::set<std::string, std::less<>> hidden;  ///< rows and groups
    std::vector<std::string> pinned;            ///< rows, from the top
    /// The rows of each group that were moved, all of them; under "" the groups.
    std::map<std::string, std::vector<std::string>, std::less<>> order;
    /// Only rows whose name, or whose group's name, has this text are shown; /…/ is a regular
    /// expression. Pinned rows stay.
    std::string filter;

    friend bool operator==(const RowChoices&, const RowChoices&) = default;

    [[nodiscard]] bool isPinned(std::string_view key) const;
    /// A pinned row is not hidden.
    void pin(const std::string& key, bool pinned);
    void hide(const std::string& key, bool hidden);
    void fold(const std::string& group, bool folded);
};

/// `usual` in the order of `wanted`; what that does not name follows what it usually follows.
[[nodiscard]] std::vector<std::string> inOrder(const std::vector<std::string>& usual,
                                               const std::vector<std::string>& wanted);

}  // namespace kinetoscope::session
