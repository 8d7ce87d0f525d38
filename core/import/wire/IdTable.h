// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace kinetoscope::import::wire {

/// Values by the ids of a file: nearly all count up from 1, a few may be any number.
template <class Value>
class IdTable {
public:
    [[nodiscard]] const Value* find(std::uint64_t id) const {
        if (id < m_places.size()) {
            return m_places[id] == 0 ? nullptr : &m_values[m_places[id] - 1];
        }
        const auto far = m_far.find(id);
        return far == m_far.end() ? nullptr : &m_values[far->second - 1];
    }
    /// The value of the id, created if there is none.
    [[nodiscard]] Value& at(std::uint64_t id) {
        std::uint32_t& place = placeOf(id);
        if (place == 0) {
            m_values.emplace_back();
            place = static_cast<std::uint32_t>(m_values.size());
        }
        return m_values[place - 1];
    }
    void clear() {
        m_places.clear();
        m_far.clear();
        m_values.clear();
    }
    [[nodiscard]] std::vector<Value>& values() { return m_values; }
    [[nodiscard]] const std::vector<Value>& values() const { return m_values; }

private:
    // Ids that lie this near to what is there already are kept in a table. A file may have many.
    static constexpr std::uint64_t kNear = 64;

    [[nodiscard]] std::uint32_t& placeOf(std::uint64_t id) {
        if (id >= m_places.size() && id < 2 * m_values.size() + kNear && !m_far.contains(id)) {
            m_places.resize(id + id / 2 + 1);
            for (auto far = m_far.begin(); far != m_far.end();) {
                if (far->first < m_places.size()) {
                    m_places[far->first] = far->second;
                    far = m_far.erase(far);
                } else {
                    ++far;
                }
            }
        }
        return id < m_places.size() ? m_places[id] : m_far[id];
    }

    std::vector<std::uint32_t> m_places;  // 1 + row of m_values; 0: none
    std::unordered_map<std::uint64_t, std::uint32_t> m_far;
    std::vector<Value> m_values;
};

}  // namespace kinetoscope::import::wire
