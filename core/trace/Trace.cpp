// SPDX-License-Identifier: Apache-2.0
#include "core/trace/Trace.h"

namespace kinetoscope {

namespace {

template <class T>
std::size_t bytesOf(const std::vector<T>& column) {
    return column.size() * sizeof(T);
}

}  // namespace

std::string_view Trace::categoryText(CategoryId id) const {
    return id < kKnownCategories ? categoryName(static_cast<Category>(id))
                                 : text(m_otherCategories[id - kKnownCategories]);
}

std::string Trace::rowIdText(RowId id) const {
    return id.isText ? std::string(text(static_cast<NameId>(id.value))) : std::to_string(id.value);
}

std::size_t Trace::memoryBytes() const {
    return bytesOf(m_start) + bytesOf(m_duration) + bytesOf(m_correlation) + bytesOf(m_externalId) +
           bytesOf(m_offset) + bytesOf(m_name) + bytesOf(m_track) + bytesOf(m_category) +
           bytesOf(m_gpuOperations) + bytesOf(m_processes) + bytesOf(m_tracks) +
           bytesOf(m_instants) + bytesOf(m_counters) + bytesOf(m_flows) + bytesOf(m_oddDurations) +
           m_names.memoryBytes();
}

}  // namespace kinetoscope
