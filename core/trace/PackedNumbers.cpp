// SPDX-License-Identifier: Apache-2.0
#include "core/trace/PackedNumbers.h"

namespace kinetoscope::trace {

namespace {

// An entry of the table takes as much memory as five rows of eight bytes.
constexpr std::size_t kMaxOthers = 1024;
constexpr std::size_t kRowsForOne = 8;

}  // namespace

void PackedNumbers::keepOther(std::size_t row, std::int64_t value) {
    if (m_wide.empty()) {
        m_others[row] = value;
        if (m_others.size() <= kMaxOthers || m_others.size() * kRowsForOne <= m_codes.size()) {
            return;
        }
        m_wide.resize(m_codes.size());
        for (const auto& [known, number] : m_others) {
            m_wide[known] = number;
        }
        m_others.clear();
        return;
    }
    if (row >= m_wide.size()) {
        m_wide.resize(m_codes.size());
    }
    m_wide[row] = value;
}

std::int64_t PackedNumbers::other(std::size_t row) const {
    return m_wide.empty() ? m_others.at(row) : m_wide[row];
}

void PackedNumbers::set(std::size_t row, std::int64_t value) {
    m_codes[row] = codeOf(value);
    if (m_codes[row] == kOtherCode) {
        keepOther(row, value);
    }
}

}  // namespace kinetoscope::trace
