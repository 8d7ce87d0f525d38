// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/chrome/EventArray.h"

namespace kinetoscope {

/// Passes over the events of a trace's text once, front to back, as the importer does; damage is
/// stepped over. Only what surrounds one event is in memory.
class EventWalk final : private EventReceiver {
public:
    explicit EventWalk(TextWindow& window);

    /// Goes to the first element of the events. False when the text has none.
    [[nodiscard]] bool enter();
    /// Reads the next event that is an object; its views are valid until the next call. False at
    /// the end, or when a stop was asked for.
    [[nodiscard]] bool next(RawEvent& event);

private:
    void add(const RawEvent& event) override { m_event = &event; }
    [[nodiscard]] bool enterMember();

    TextWindow& m_window;
    const char* m_at;
    bool m_hasText;
    bool m_bareArray;
    IssueCounter m_issues;  // the importer has told of them
    EventArray m_array;
    const RawEvent* m_event = nullptr;  // the array's
};

}  // namespace kinetoscope
