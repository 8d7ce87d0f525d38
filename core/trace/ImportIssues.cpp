// SPDX-License-Identifier: Apache-2.0
#include "core/trace/ImportIssues.h"

#include <algorithm>

namespace kinetoscope::trace {

namespace {

constexpr std::array<IssueKind, kIssues> kKinds{{
    {Issue::TruncatedText, "truncated_text", Severity::DataLoss,
     "The text ends before the trace does; everything before the cut is shown."},
    {Issue::TruncatedGzip, "truncated_gzip", Severity::DataLoss,
     "The compressed file ends early, like an interrupted copy; what could be unpacked is shown."},
    {Issue::DamagedGzip, "damaged_gzip", Severity::DataLoss,
     "The compressed data is damaged; everything before the damage is shown."},
    {Issue::TruncatedZstd, "truncated_zstd", Severity::DataLoss,
     "The compressed file ends early, like an interrupted copy; what could be unpacked is shown."},
    {Issue::DamagedZstd, "damaged_zstd", Severity::DataLoss,
     "The compressed data is damaged; everything before the damage is shown."},
    {Issue::ExpandsTooFar, "expands_too_far", Severity::DataLoss,
     "A small compressed file unpacks to so much text that it may be a decompression bomb; only "
     "its beginning is shown."},
    {Issue::ReadError, "read_error", Severity::DataLoss,
     "The file could not be read to its end; everything before that is shown."},
    {Issue::FileChanged, "file_changed", Severity::DataLoss,
     "The file was changed while it was read; open it again once it is complete."},
    {Issue::TrailingGarbage, "trailing_garbage", Severity::Warning,
     "There is data after the end of the trace; it is ignored."},
    {Issue::MissingArrayEnd, "missing_array_end", Severity::Info,
     "The array of events is not closed, which the Chrome format allows."},
    {Issue::TrailingComma, "trailing_comma", Severity::Warning,
     "A comma stands before the end of the events; it is ignored."},
    {Issue::ExtraComma, "extra_comma", Severity::Warning,
     "There are commas with nothing between them; they are ignored."},
    {Issue::MissingComma, "missing_comma", Severity::Warning,
     "A comma is missing between events; they are read as if it were there."},
    {Issue::ControlCharacter, "control_character", Severity::Warning,
     "A string contains a raw line break or another control character; it is kept."},
    {Issue::InvalidUtf8, "invalid_utf8", Severity::Warning,
     "A string contains bytes that are not UTF-8; each is shown as U+FFFD."},
    {Issue::InvalidEscape, "invalid_escape", Severity::Warning,
     "A string contains an invalid JSON escape; it is kept as written."},
    {Issue::BareWord, "bare_word", Severity::Warning,
     "A value is NaN, Infinity, N/A or similar, which is not JSON; it is read as null."},
    {Issue::MalformedEvent, "malformed_event", Severity::DataLoss,
     "An event cannot be parsed; reading continued at the next one."},
    {Issue::OversizedEvent, "oversized_event", Severity::DataLoss,
     "An event is larger than 256 MiB; it is dropped."},
    {Issue::NotAnObject, "not_an_object", Severity::DataLoss,
     "An element of the event array is not an object; it is dropped."},
    {Issue::EmptyEvent, "empty_event", Severity::Info,
     "An event has no members at all, like the one with which XLA ends its list."},
    {Issue::MissingPhase, "missing_phase", Severity::DataLoss,
     "An event has no phase (ph); it is dropped."},
    {Issue::UnknownPhase, "unknown_phase", Severity::Info,
     "Events of a phase that is not supported, such as memory dumps."},
    {Issue::MissingTime, "missing_ts", Severity::DataLoss,
     "An event has no valid start time (ts); it is dropped."},
    {Issue::TimeOutOfRange, "time_out_of_range", Severity::DataLoss,
     "A start time is more than 73 years from zero; the event is dropped."},
    {Issue::MissingDuration, "missing_duration", Severity::Warning,
     "A complete event has no duration (dur); it counts as 0."},
    {Issue::NegativeDuration, "negative_duration", Severity::Warning,
     "A duration is negative; it counts as 0."},
    {Issue::DurationOutOfRange, "duration_out_of_range", Severity::Warning,
     "A duration is impossibly long; it is cut at 73 years."},
    {Issue::UnmatchedEnd, "unmatched_end", Severity::DataLoss,
     "An end event has no open begin event on its track; it is dropped."},
    {Issue::UnfinishedBegin, "unfinished_begin", Severity::Warning,
     "A begin event has no end event; it is shown to last until the end of the trace."},
    {Issue::CounterWithoutValue, "counter_without_value", Severity::DataLoss,
     "A counter event has no number in its arguments; it is dropped."},
    {Issue::MalformedArguments, "malformed_arguments", Severity::Warning,
     "The arguments of an event can only be read in part; the event is kept."},
    {Issue::MalformedMetadata, "malformed_metadata", Severity::DataLoss,
     "A value outside the events cannot be parsed; it is dropped."},
    {Issue::LargeField, "large_field", Severity::Info,
     "A value outside the events is larger than 1 MiB; only its size is kept."},
    {Issue::SeveralEventLists, "several_event_lists", Severity::Warning,
     "The file has several lists of events; all of them are read, one after the other."},
}};

}  // namespace

const IssueKind& issueKind(Issue issue) {
    return *std::ranges::find(kKinds, issue, &IssueKind::issue);
}

std::string_view importIssueHelp(std::string_view name) {
    const auto kind = std::ranges::find(kKinds, name, &IssueKind::name);
    return kind == kKinds.end() ? std::string_view{} : kind->help;
}

void IssueCounter::add(const IssueCounter& later) {
    for (std::size_t issue = 0; issue < kIssues; ++issue) {
        const Entry& more = later.m_entries[issue];
        Entry& entry = m_entries[issue];
        if (more.count > 0 && (entry.count == 0 || more.offset < entry.offset)) {
            entry.offset = more.offset;
            entry.example = more.example;
        }
        entry.count += more.count;
    }
}

void IssueCounter::addTo(ImportLog& log) const {
    for (const IssueKind& kind : kKinds) {
        const Entry& entry = m_entries[static_cast<std::size_t>(kind.issue)];
        if (entry.count > 0) {
            log.add(kind.name, kind.severity, entry.offset, entry.example, entry.count);
        }
    }
}

}  // namespace kinetoscope::trace
