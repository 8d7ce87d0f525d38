// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/import/chrome/EventArray.h"
#include "core/import/event/EventAssembler.h"
#include "core/import/event/ShapeReader.h"
#include "core/import/source/TextWindow.h"
#include "core/trace/ImportIssues.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::chrome {

/// The events that begin in one stretch of the text, read without knowing what is before it.
class EventUnit {
public:
    EventUnit() : assembler(builder, issues, event::EventAssembler::Before::OtherPart) {}
    EventUnit(const EventUnit&) = delete;
    EventUnit& operator=(const EventUnit&) = delete;
    ~EventUnit() = default;

    void clear();

    trace::TraceBuilder builder{trace::TraceBuilder::Use::Part};
    trace::IssueCounter issues;
    event::EventAssembler assembler;
    std::uint64_t begin = 0;  ///< guessed: where the first event starts
    ArrayPlace end;           ///< where reading stopped: all before was in order
    std::uint64_t elements = 0;
};

/// Reads units. One for each thread; its shapes and memory serve all units it reads.
class UnitReader {
public:
    UnitReader(std::unique_ptr<source::TextSource> source, std::size_t chunk,
               const std::stop_token& stop)
        : m_source(std::move(source)), m_window(*m_source, chunk, stop) {}

    /// Reads the well-formed events that begin in [from, to) up to the first unusual one. Whether
    /// the unit's guess of its beginning was right shows when all before it has been read.
    void read(EventUnit& unit, std::uint64_t from, std::uint64_t to);

private:
    [[nodiscard]] bool event(EventUnit& unit, const char*& at);
    [[nodiscard]] bool nextElement(EventUnit& unit, const char*& at);
    [[nodiscard]] bool findElement(EventUnit& unit, const char*& at);

    std::unique_ptr<source::TextSource> m_source;
    source::TextWindow m_window;
    event::ShapeReader m_shapes;
    event::RawEvent m_event;
    // What separated two events the last time, up to the next one's '{': most often the same bytes.
    std::uint64_t m_separator = 0;
    std::uint64_t m_separatorMask = 0;
    std::uint32_t m_separatorSize = 0;  // 0: none that is short enough
};

}  // namespace kinetoscope::import::chrome
