// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/Result.h"
#include "core/import/Importer.h"
#include "core/import/chrome/EventArray.h"
#include "core/import/chrome/ParallelEvents.h"
#include "core/import/scan/JsonScan.h"
#include "core/trace/RunInfo.h"

namespace kinetoscope::import::chrome {

/// Walks a whole trace document once: events go to the assembler, everything beside them is kept
/// as text.
class TraceDocument {
public:
    TraceDocument(const ImportInput& input, const EventTarget& target, GrowingTrace& growing)
        : m_input(input), m_target(target), m_growing(growing) {}

    /// Fails, without the file's name, if there are no events.
    [[nodiscard]] Result<void> read();

    [[nodiscard]] std::vector<trace::RunField> takeFields() { return std::move(m_fields); }
    [[nodiscard]] std::uint64_t elements() const { return m_elements; }
    [[nodiscard]] std::uint64_t skipped() const { return m_skipped; }

private:
    [[nodiscard]] Result<void> bareArray(const char* at);
    [[nodiscard]] Result<void> object(const char* at);
    [[nodiscard]] bool member(const char*& at);
    [[nodiscard]] bool events(const char*& at, bool bare);
    [[nodiscard]] EventArray::Reached readEvents(EventArray& array, const char*& at);
    [[nodiscard]] bool keep(const std::string& key, const scan::JsonText& value,
                            std::uint64_t offset);
    void afterEnd(const char* at);
    [[nodiscard]] Result<void> verdict() const;

    const ImportInput& m_input;
    EventTarget m_target;
    GrowingTrace& m_growing;
    source::TextWindow& m_window = m_input.text;
    trace::IssueCounter& m_issues = m_target.issues;
    std::vector<trace::RunField> m_fields;
    std::unordered_map<std::string, std::size_t> m_fieldOf;  ///< by key
    std::uint64_t m_elements = 0;
    std::uint64_t m_skipped = 0;
    bool m_foundEvents = false;
    bool m_eventsAreNoArray = false;
};

}  // namespace kinetoscope::import::chrome
