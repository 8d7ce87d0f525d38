// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/ImportLog.h"

namespace kinetoscope::trace {

/// Every problem of a file that is read all the same.
enum class Issue : std::uint8_t {
    TruncatedText,
    TruncatedGzip,
    DamagedGzip,
    TruncatedZstd,
    DamagedZstd,
    ExpandsTooFar,
    ReadError,
    FileChanged,
    TrailingGarbage,
    MissingArrayEnd,
    TrailingComma,
    ExtraComma,
    MissingComma,
    ControlCharacter,
    InvalidUtf8,
    InvalidEscape,
    BareWord,
    MalformedEvent,
    OversizedEvent,
    NotAnObject,
    EmptyEvent,
    MissingPhase,
    UnknownPhase,
    MissingTime,
    TimeOutOfRange,
    MissingDuration,
    NegativeDuration,
    DurationOutOfRange,
    UnmatchedEnd,
    UnfinishedBegin,
    CounterWithoutValue,
    MalformedArguments,
    MalformedMetadata,
    LargeField,
    SeveralEventLists,
};

inline constexpr std::size_t kIssues = static_cast<std::size_t>(Issue::SeveralEventLists) + 1;

struct IssueKind {
    Issue issue;
    std::string_view name;  ///< stable, snake_case
    Severity severity;
    std::string_view help;  ///< one sentence for the user: what it means, what was done
};

[[nodiscard]] const IssueKind& issueKind(Issue issue);

/// The meaning of the issue of this name; empty for names that no importer uses.
[[nodiscard]] std::string_view importIssueHelp(std::string_view name);

/// Counts issues while a file is read. Only the first of a kind costs more than an addition.
class IssueCounter {
public:
    template <std::invocable Example>
    void add(Issue issue, std::uint64_t offset, Example&& example) {
        Entry& entry = m_entries[static_cast<std::size_t>(issue)];
        if (entry.count == 0 || offset < entry.offset) {
            entry.offset = offset;
            entry.example = example();
        }
        ++entry.count;
    }
    void addTo(ImportLog& log) const;
    /// Adds what was counted in a later part of the text.
    void add(const IssueCounter& later);
    void clear() { m_entries = {}; }

private:
    struct Entry {
        std::uint64_t count = 0;
        std::uint64_t offset = 0;
        std::string example;
    };
    std::array<Entry, kIssues> m_entries;
};

}  // namespace kinetoscope::trace
