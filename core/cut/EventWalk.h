// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/chrome/EventArray.h"

namespace kinetoscope::cut {

/// Passes over the events of a trace's text once, front to back, as the importer does; damage is
/// stepped over. Only what surrounds one event is in memory.
class EventWalk final : private import::event::EventReceiver {
public:
    explicit EventWalk(import::source::TextWindow& window);

    /// Goes to the first element of the events. False when the text has none.
    [[nodiscard]] bool enter();
    /// Reads the next event that is an object; its views are valid until the next call. False at
    /// the end, or when a stop was asked for.
    [[nodiscard]] bool next(import::event::RawEvent& event);

private:
    void add(const import::event::RawEvent& event) override { m_event = &event; }
    [[nodiscard]] bool enterMember();

    import::source::TextWindow& m_window;
    const char* m_at;
    bool m_hasText;
    bool m_bareArray;
    trace::IssueCounter m_issues;  // the importer has told of them
    import::chrome::EventArray m_array;
    const import::event::RawEvent* m_event = nullptr;  // the array's
};

}  // namespace kinetoscope::cut
