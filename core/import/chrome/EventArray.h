// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/import/LoadOptions.h"
#include "core/import/event/EventReceiver.h"
#include "core/import/event/NextEvent.h"
#include "core/import/event/RawEvent.h"
#include "core/import/event/ShapeReader.h"
#include "core/import/event/TolerantReader.h"
#include "core/import/source/TextWindow.h"
#include "core/trace/ImportIssues.h"

namespace kinetoscope::import::chrome {

/// Where reading stands between two elements.
struct ArrayPlace {
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> comma;  ///< the last one since the last element
    bool needComma = false;              ///< nothing but white space since the last element
};

/// The generic reader trusts its brackets up to this size of an event; larger ones are checked by
/// grammar, which notices early when damage makes one event swallow the rest of the file.
inline constexpr std::size_t kMaxTrustedEventBytes = 1024 * 1024;

/// Reads the elements of traceEvents, whatever state they are in.
class EventArray {
public:
    /// `bareArray`: the array is the whole document and may lack its ']'.
    EventArray(source::TextWindow& window, event::EventReceiver& receiver,
               trace::IssueCounter& issues, bool bareArray, Readers readers = Readers::All)
        : m_window(window),
          m_receiver(receiver),
          m_issues(issues),
          m_bareArray(bareArray),
          m_readers(readers) {}

    enum class Reached : std::uint8_t {
        Element,   ///< `at` is behind an element, or a comma
        ArrayEnd,  ///< `at` is behind the ']'
        TextEnd,   ///< there was no ']' (logged), or a stop was requested
        Limit,     ///< `at` is where an element starts
    };

    /// `at` stands behind the '[', or where an earlier call stopped: in front of the first element
    /// that begins at `limit` or later.
    [[nodiscard]] Reached readUntil(const char*& at, std::uint64_t limit);
    /// The same a step at a time: what the receiver was given stays in the window until the next.
    [[nodiscard]] Reached step(const char*& at, std::uint64_t limit);

    /// Whether well-formed events that begin at `offset` would be read like any others: no comma
    /// is missing before them, and earlier damage does not limit how far is looked ahead.
    [[nodiscard]] bool readsCleanlyAt(std::uint64_t offset) const;
    /// Continues at `place`, behind that many events that another reader has read.
    void skipTo(const ArrayPlace& place, std::uint64_t elements);

    [[nodiscard]] std::uint64_t elements() const { return m_elements; }
    /// Elements that could not be read at all; the receiver counts those it refuses.
    [[nodiscard]] std::uint64_t skipped() const { return m_skipped; }

private:
    enum class Outcome { Read, NeedMore, Damaged };

    [[nodiscard]] bool isEnd(const char*& at);
    [[nodiscard]] bool element(const char*& at);
    [[nodiscard]] Outcome tryElement(const char*& at);
    [[nodiscard]] Outcome tryDamaged(const char*& at, const char* stop);
    [[nodiscard]] Outcome tryTolerantly(const char*& at);
    [[nodiscard]] const char* lookEnd(const char* at) const;
    [[nodiscard]] bool mayNeedMore(const char* at, const char* stop, std::size_t most) const;
    [[nodiscard]] bool tooLarge(const char* at) const;
    [[nodiscard]] bool recover(const char*& at);
    void endOfText(std::uint64_t offset);
    void noteSyntaxIssues(const event::SyntaxIssues& issues);

    source::TextWindow& m_window;
    event::EventReceiver& m_receiver;
    trace::IssueCounter& m_issues;
    bool m_bareArray;
    Readers m_readers;
    std::optional<std::uint64_t> m_comma;  // the last one since the last element
    bool m_needComma = false;
    bool m_cut = false;  // the last damaged element was fine up to the end of the text
    event::RecoveryBudget m_budget;
    event::ShapeReader m_shapes;
    event::RawEvent m_event;
    std::uint64_t m_elements = 0;
    std::uint64_t m_skipped = 0;
};

}  // namespace kinetoscope::import::chrome
