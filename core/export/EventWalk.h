// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/NextEvent.h"
#include "core/import/RawEvent.h"
#include "core/import/TextWindow.h"

namespace kinetoscope {

/// Passes over the events of a trace's text once, front to back, in whatever state they are;
/// damage is stepped over. Only what surrounds one event is in memory.
class EventWalk {
public:
    explicit EventWalk(TextWindow& window) : m_window(window), m_at(window.begin()) {}

    /// Goes to the first element of the events. False when the text has none.
    [[nodiscard]] bool enter();
    /// Reads the next event that is an object; its views are valid until the next call. False at
    /// the end, or when a stop was asked for.
    [[nodiscard]] bool next(RawEvent& event);
    /// The last event is no strict JSON.
    [[nodiscard]] bool isOdd() const { return m_odd; }

private:
    enum class Outcome { Event, NoEvent, NeedMore, Damaged };

    [[nodiscard]] Outcome attempt(RawEvent& event);
    [[nodiscard]] Outcome attemptTolerantly(RawEvent& event);
    [[nodiscard]] bool skipBlanks();
    [[nodiscard]] bool readValue(JsonText& value);
    [[nodiscard]] bool enterObject();

    TextWindow& m_window;
    const char* m_at;
    ArrayEndForm m_arrayEnd = ArrayEndForm::Member;
    RecoveryBudget m_recovery;
    bool m_odd = false;
};

}  // namespace kinetoscope
