// SPDX-License-Identifier: Apache-2.0
#include "core/trace/SliceColumns.h"

namespace kinetoscope::trace {

void SliceColumns::reserve(std::size_t rows) {
    reserveColumn(m_start, rows);
    m_duration.reserve(rows);
    m_correlation.reserve(rows);
    m_externalId.reserve(rows);
    reserveColumn(m_offset, rows);
    reserveColumn(m_name, rows);
    reserveColumn(m_track, rows);
    reserveColumn(m_category, rows);
}

}  // namespace kinetoscope::trace
