// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/import/chrome/EventArray.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::chrome {

/// Passes over the events of a trace's text once, front to back, as the importer does; damage is
/// stepped over. Only what surrounds one event is in memory.
class EventWalk final : private event::EventReceiver {
public:
    explicit EventWalk(source::TextWindow& window);

    /// Goes to the first element of the events. False when the text has none.
    [[nodiscard]] bool enter();
    /// Reads the next event that is an object; its views are valid until the next call. False at
    /// the end, or when a stop was requested.
    [[nodiscard]] bool next(trace::ListedEvent& event);

private:
    void add(const event::RawEvent& event) override { m_event = &event; }
    [[nodiscard]] bool enterMember();
    void describe(trace::ListedEvent& event);

    source::TextWindow& m_window;
    const char* m_at;
    bool m_hasText;
    bool m_bareArray;
    trace::IssueCounter m_issues;  // the importer has logged them
    EventArray m_array;
    const event::RawEvent* m_event = nullptr;  // the array's
    std::string m_row;
};

}  // namespace kinetoscope::import::chrome
