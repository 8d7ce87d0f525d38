// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/bench/results/ModuleResult.h"

namespace kinetoscope::bench::results {

// The lines of `kscope bench modules --stream`, one JSON object each.

/// The groups with their runners, nothing of which has run.
[[nodiscard]] std::string modulePlanLine(const ModuleDocument& document);
[[nodiscard]] std::string moduleStartLine(const std::string& group, const std::string& runner);
/// Also says of the document what is known by then of PyTorch and its device.
[[nodiscard]] std::string moduleResultLine(const ModuleDocument& document, const ModuleGroup& group,
                                           const ModuleResult& runner);

/// Puts a document together from these lines.
class ModuleStream {
public:
    enum class Change { None, Plan, Started, Result };

    /// What the line changed; lines that are none of these change nothing.
    Change take(std::string_view line);

    /// A whole document instead.
    void open(ModuleDocument document);

    [[nodiscard]] const ModuleDocument& document() const { return m_document; }
    /// Runner that is being run: "lstm/jit"; empty before the first and between two.
    [[nodiscard]] const std::string& running() const { return m_running; }
    [[nodiscard]] std::size_t done() const { return m_done; }

private:
    Change takeResult(std::string_view runnerJson, const std::string& group);

    ModuleDocument m_document;
    std::string m_running;
    std::size_t m_done = 0;
};

}  // namespace kinetoscope::bench::results
