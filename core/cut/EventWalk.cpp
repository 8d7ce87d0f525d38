// SPDX-License-Identifier: Apache-2.0
#include "core/cut/EventWalk.h"

#include <limits>

#include "core/import/chrome/DocumentText.h"

namespace kinetoscope {

EventWalk::EventWalk(TextWindow& window)
    : m_window(window),
      m_at(documentBegin(window)),
      m_hasText(skipSpace(window, m_at)),
      m_bareArray(m_hasText && *m_at == '['),
      m_array(window, *this, m_issues, m_bareArray, Readers::WithoutShapes) {}

bool EventWalk::enter() {
    if (!m_hasText) {
        return false;
    }
    ++m_at;
    return m_bareArray || enterMember();
}

bool EventWalk::enterMember() {
    while (skipSpace(m_window, m_at) && *m_at != '}') {
        if (*m_at == ',') {
            ++m_at;
            continue;
        }
        std::string key;
        JsonText value;
        const bool named = readKey(m_window, m_at, key);
        if (named && key == kEventsKey && *m_at == '[') {
            ++m_at;
            return true;
        }
        if (!(named && readValue(m_window, m_at, value)) && !findEventsKey(m_window, m_at)) {
            return false;
        }
    }
    return false;
}

bool EventWalk::next(RawEvent& event) {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    m_event = nullptr;
    while (m_event == nullptr) {
        const EventArray::Reached reached = m_array.step(m_at, kNoLimit);
        const bool another = reached == EventArray::Reached::ArrayEnd && !m_bareArray;
        if (reached != EventArray::Reached::Element && !(another && enterMember())) {
            return false;
        }
    }
    event = *m_event;
    return true;
}

}  // namespace kinetoscope
