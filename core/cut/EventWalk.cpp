// SPDX-License-Identifier: Apache-2.0
#include "core/cut/EventWalk.h"

#include <limits>

#include "core/import/chrome/DocumentText.h"

namespace kinetoscope::cut {

EventWalk::EventWalk(import::source::TextWindow& window)
    : m_window(window),
      m_at(import::chrome::documentBegin(window)),
      m_hasText(import::chrome::skipSpace(window, m_at)),
      m_bareArray(m_hasText && *m_at == '['),
      m_array(window, *this, m_issues, m_bareArray, import::Readers::WithoutShapes) {}

bool EventWalk::enter() {
    if (!m_hasText) {
        return false;
    }
    ++m_at;
    return m_bareArray || enterMember();
}

bool EventWalk::enterMember() {
    while (import::chrome::skipSpace(m_window, m_at) && *m_at != '}') {
        if (*m_at == ',') {
            ++m_at;
            continue;
        }
        std::string key;
        import::scan::JsonText value;
        const bool named = import::chrome::readKey(m_window, m_at, key);
        if (named && key == import::chrome::kEventsKey && *m_at == '[') {
            ++m_at;
            return true;
        }
        if (!(named && import::chrome::readValue(m_window, m_at, value)) &&
            !import::chrome::findEventsKey(m_window, m_at)) {
            return false;
        }
    }
    return false;
}

bool EventWalk::next(import::event::RawEvent& event) {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    m_event = nullptr;
    while (m_event == nullptr) {
        const import::chrome::EventArray::Reached reached = m_array.step(m_at, kNoLimit);
        const bool another =
            reached == import::chrome::EventArray::Reached::ArrayEnd && !m_bareArray;
        if (reached != import::chrome::EventArray::Reached::Element &&
            !(another && enterMember())) {
            return false;
        }
    }
    event = *m_event;
    return true;
}

}  // namespace kinetoscope::cut
