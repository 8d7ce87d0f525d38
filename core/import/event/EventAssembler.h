// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/import/event/EventArguments.h"
#include "core/import/event/EventDecoder.h"
#include "core/import/event/EventReceiver.h"
#include "core/import/event/OpenSlices.h"
#include "core/import/event/RawEvent.h"
#include "core/trace/ImportIssues.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::event {

/// Decides by its phase what becomes of an event, and hands it to the builder.
class EventAssembler final : public EventReceiver {
public:
    /// What precedes the text: nothing, or a part that another assembler reads.
    enum class Before : std::uint8_t { Nothing, OtherPart };

    EventAssembler(trace::TraceBuilder& builder, trace::IssueCounter& issues,
                   Before before = Before::Nothing)
        : m_builder(builder), m_issues(issues), m_decoder(builder, issues), m_before(before) {}

    void add(const RawEvent& event) override;
    /// Ends slices that never ended. To be called once, after the last event.
    void finish();
    /// Goes on behind `part`, whose rows have been appended to the builder and whose issues to the
    /// counter.
    void append(const EventAssembler& part, const trace::AppendedPart& rows);
    /// Starts over; the builder and the counter have to be cleared too.
    void clear();
    /// Events that are not in the trace because something about them is wrong.
    [[nodiscard]] std::uint64_t skipped() const { return m_skipped; }

private:
    /// An end event whose begin event may be in the part before.
    struct PendingEnd {
        trace::TrackId track = 0;
        TimeNs time = 0;
        std::uint64_t offset = 0;
        std::string what;
    };

    void complete(const RawEvent& event);
    [[nodiscard]] TimeNs completeDuration(const RawEvent& event, TimeNs start);
    /// Those that the event's reader has read, else `own`, read now.
    [[nodiscard]] const EventArguments& arguments(const RawEvent& event, trace::Category category,
                                                  std::optional<EventArguments>& own);
    void gpuOperation(const RawEvent& event, trace::SliceId slice, const EventArguments& arguments);
    void begin(const RawEvent& event, trace::TrackId track);
    void end(const RawEvent& event, trace::TrackId track);
    template <class Describe>
    void close(trace::TrackId track, TimeNs time, std::uint64_t offset, Describe&& describe);
    void instant(const RawEvent& event, trace::TrackId track);
    void memorySamples(const RawEvent& event, TimeNs time);
    void counter(const RawEvent& event);
    void flow(const RawEvent& event, char phase);
    void metadata(const RawEvent& event);
    void processLabels(const RawEvent& event, const scan::JsonText& labels);
    [[nodiscard]] trace::TrackId asyncTrack(const RawEvent& event);
    void skip(trace::Issue issue, const RawEvent& event, std::string_view what);
    void reach(TimeNs time) { m_lastTime = std::max(m_lastTime, time); }

    trace::TraceBuilder& m_builder;
    trace::IssueCounter& m_issues;
    EventDecoder m_decoder;
    Before m_before;
    OpenSlices m_open;
    std::vector<PendingEnd> m_pendingEnds;
    TimeNs m_lastTime = -kFarthestTime;
    std::uint64_t m_skipped = 0;
};

}  // namespace kinetoscope::import::event
