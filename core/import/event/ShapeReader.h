// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/import/event/EventShape.h"
#include "core/import/event/MatchShape.h"

namespace kinetoscope::import::event {

/// Reads events whose shape it has seen before, several times as fast as the generic reader and
/// with the same result. Not thread safe; what it has learned never changes what is read.
class ShapeReader {
public:
    ShapeReader();

    /// Behind the event at `at`; null when its shape is not known or it is not whole before `end`.
    [[nodiscard]] const char* read(const char* at, const char* end, RawEvent& event);
    /// Remembers the shape of an event that readEvent() has read after read() had failed.
    void learn(const RawEvent& event);

    [[nodiscard]] std::size_t shapes() const { return m_shapes.size(); }

private:
    [[nodiscard]] const char* readAny(const char* at, const char* end, RawEvent& event);
    void passed(EventShape* shape);

    // After the last four shapes often the same one comes.
    static constexpr std::size_t kHistories = 256;

    const MatchShape m_match;
    std::vector<std::unique_ptr<EventShape>> m_shapes;  // the last one found is first
    std::array<EventShape*, kHistories> m_followers{};  // by m_history: what came then
    std::size_t m_history = 0;                          // a hash of the last shapes' ids
    std::uint32_t m_misses = 0;                         // in a row
    std::uint32_t m_wait = 0;                           // events not to learn from
    std::uint32_t m_lastWait = 0;                       // grows while learning is in vain
};

}  // namespace kinetoscope::import::event
