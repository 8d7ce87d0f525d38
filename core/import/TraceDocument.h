// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/import/EventAssembler.h"
#include "core/import/ImportIssues.h"
#include "core/import/JsonScan.h"
#include "core/import/TextWindow.h"
#include "core/trace/RunInfo.h"

namespace kinetoscope {

/// Walks a whole trace document once: events go to the assembler, everything beside them is kept
/// as text.
class TraceDocument {
public:
    TraceDocument(TextWindow& window, EventAssembler& assembler, IssueCounter& issues)
        : m_window(window), m_assembler(assembler), m_issues(issues) {}

    /// Fails, without the file's name, when there are no events to be found.
    [[nodiscard]] Result<void> read();

    [[nodiscard]] std::vector<RunField> takeFields() { return std::move(m_fields); }
    [[nodiscard]] std::uint64_t elements() const { return m_elements; }
    [[nodiscard]] std::uint64_t skipped() const { return m_skipped; }

private:
    [[nodiscard]] Result<void> bareArray(const char* at);
    [[nodiscard]] Result<void> object(const char* at);
    [[nodiscard]] bool member(const char*& at);
    [[nodiscard]] bool events(const char*& at, bool bare);
    [[nodiscard]] bool value(const char*& at, JsonText& text);
    [[nodiscard]] bool space(const char*& at);
    [[nodiscard]] bool keep(const std::string& key, const JsonText& value, std::uint64_t offset);
    [[nodiscard]] bool findEvents(const char*& at);
    void afterEnd(const char* at);
    [[nodiscard]] Result<void> verdict() const;

    TextWindow& m_window;
    EventAssembler& m_assembler;
    IssueCounter& m_issues;
    std::vector<RunField> m_fields;
    std::uint64_t m_elements = 0;
    std::uint64_t m_skipped = 0;
    bool m_foundEvents = false;
    bool m_eventsAreNoArray = false;
};

}  // namespace kinetoscope
