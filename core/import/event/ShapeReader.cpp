// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/ShapeReader.h"

#include <algorithm>

namespace kinetoscope::import::event {

namespace {

// Real files have a dozen or two.
constexpr std::size_t kMaxShapes = 48;
// Files without any regularity cost this many shapes, and then hardly anything more.
constexpr std::uint32_t kMaxWait = 1U << 16U;

// After so many misses in a row only a sample of the events is compared.
constexpr std::uint32_t kPatience = 32;
constexpr std::uint32_t kSample = 8;

}  // namespace

ShapeReader::ShapeReader() : m_match(matchShapeOf(scan::vectorLevel())) {}

const char* ShapeReader::read(const char* at, const char* end, RawEvent& event) {
    if (m_misses > kPatience && ++m_misses % kSample != 0) {
        return nullptr;
    }
    if (EventShape* likely = m_followers[m_history]) {
        if (const char* next = m_match(*likely, at, end, event)) {
            m_misses = 0;
            passed(likely);
            return next;
        }
    }
    return readAny(at, end, event);
}

const char* ShapeReader::readAny(const char* at, const char* end, RawEvent& event) {
    for (std::size_t i = 0; i < m_shapes.size(); ++i) {
        if (const char* next = m_match(*m_shapes[i], at, end, event)) {
            std::rotate(m_shapes.begin(), m_shapes.begin() + static_cast<std::ptrdiff_t>(i),
                        m_shapes.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            passed(m_shapes.front().get());
            m_lastWait = 0;
            m_misses = 0;
            return next;
        }
    }
    ++m_misses;
    return nullptr;
}

// Remembers that the shape came after those before it.
void ShapeReader::passed(EventShape* shape) {
    m_followers[m_history] = shape;
    m_history = (4 * m_history ^ shape->id) % kHistories;
}

void ShapeReader::learn(const RawEvent& event) {
    if (m_wait > 0) {
        --m_wait;
        return;
    }
    auto shape = learnShape(event);
    if (shape == nullptr || m_shapes.size() == kMaxShapes) {
        m_lastWait = std::min(2 * m_lastWait + 1, kMaxWait);
        m_wait = m_lastWait;
    }
    if (shape == nullptr) {
        return;
    }
    if (m_shapes.size() == kMaxShapes) {
        // The one that was not needed for the longest time makes room.
        std::ranges::replace(m_followers, m_shapes.back().get(), nullptr);
        m_shapes.pop_back();
    }
    passed(shape.get());
    m_shapes.insert(m_shapes.begin(), std::move(shape));
}

}  // namespace kinetoscope::import::event
