// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/bench/results/ResultDocument.h"

namespace kinetoscope::bench::results {

// The lines of `kscope bench … --stream`, one JSON object each. Items are the kernels, operators or
// runners of a document, counted from 0 in its order, over all groups.

/// The document before anything ran: every item that will.
[[nodiscard]] std::string planLine(const ResultDocument& document);
/// Its GPU and PyTorch, once they are known.
[[nodiscard]] std::string deviceLine(const ResultDocument& document);
[[nodiscard]] std::string startLine(std::size_t item);
/// An operator's call; `part` is its place among them.
[[nodiscard]] std::string partLine(std::size_t item, std::size_t part, const BenchItem& call);
/// The whole item, which has nothing to come.
[[nodiscard]] std::string itemLine(const ResultDocument& document, std::size_t item);

/// Puts a document together from these lines.
class ResultStream {
public:
    enum class Change { None, Plan, Device, Item };

    explicit ResultStream(ResultKind kind) { m_document.kind = kind; }

    /// What the line changed; unknown lines, and those of another kind of bench, change nothing.
    Change take(std::string_view line);

    /// A whole document instead.
    void open(ResultDocument document);

    [[nodiscard]] const ResultDocument& document() const { return m_document; }
    /// The item that the last Change::Item was about; of no meaning before the first.
    [[nodiscard]] std::size_t item() const { return m_item; }
    /// The item that is being run; none before the first and between two.
    [[nodiscard]] std::optional<std::size_t> running() const { return m_running; }
    /// Items that have nothing to come.
    [[nodiscard]] std::size_t done() const { return m_done.size(); }

private:
    ResultDocument m_document;
    std::size_t m_item = 0;
    std::optional<std::size_t> m_running;
    std::set<std::size_t> m_done;
};

}  // namespace kinetoscope::bench::results
