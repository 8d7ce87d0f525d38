// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/import/event/EventFields.h"
#include "core/import/event/RawEvent.h"
#include "core/import/scan/StringDecoder.h"
#include "core/trace/ImportIssues.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::event {

/// Turns the texts of an event into what TraceBuilder wants. Counts what it has to correct.
class EventDecoder {
public:
    EventDecoder(trace::TraceBuilder& builder, trace::IssueCounter& issues)
        : m_builder(builder), m_issues(issues) {}

    /// nullopt, and counted, when "ts" is missing, no number or out of range.
    [[nodiscard]] std::optional<TimeNs> time(const RawEvent& event);
    /// "dur" in nanoseconds as written (the largest that fits when it does not); nullopt when it is
    /// missing or no number.
    [[nodiscard]] std::optional<TimeNs> duration(const RawEvent& event);
    /// A missing pid or tid reads as 0.
    [[nodiscard]] trace::RowId rowId(const RawEvent& event, EventField field);
    [[nodiscard]] trace::TrackId track(const RawEvent& event);
    [[nodiscard]] NameId name(const RawEvent& event);
    [[nodiscard]] trace::CategoryId category(const RawEvent& event);
    /// A flow's or async event's id: numbers, also in quotes and hexadecimal, as they are; other
    /// texts as such.
    [[nodiscard]] trace::RowId id(const scan::JsonText& value);
    /// The text of a string, the JSON of anything else. Valid until the next call.
    [[nodiscard]] std::string_view text(const RawEvent& event, const scan::JsonText& value);
    /// Counts what is wrong with the strings inside of "args".
    void checkArguments(const RawEvent& event);

    /// Forgets the builder's ids.
    void clear();

    /// `the event's name` in quotes, or the beginning of its text.
    [[nodiscard]] static std::string describe(const RawEvent& event);

private:
    struct KnownTrack {
        std::int64_t pid = 0;
        std::int64_t tid = 0;
        trace::TrackId track = 0;
        bool used = false;
    };
    struct KnownCategory {
        std::string text;
        trace::CategoryId id = 0;
    };

    /// All events of a shape have one category.
    struct KnownShape {
        std::uint32_t shape = 0;
        std::optional<trace::CategoryId> category;
    };

    [[nodiscard]] trace::CategoryId writtenCategory(const RawEvent& event);
    [[nodiscard]] trace::CategoryId newCategory(const RawEvent& event, std::string_view text);

    trace::TraceBuilder& m_builder;
    trace::IssueCounter& m_issues;
    std::string m_storage;
    std::array<KnownTrack, 64> m_tracks{};
    std::array<KnownCategory, 64> m_categories{};
    std::array<KnownShape, 64> m_shapes{};
    std::array<NameId, 512> m_names{};  // of names seen lately, by hashText()
};

}  // namespace kinetoscope::import::event
