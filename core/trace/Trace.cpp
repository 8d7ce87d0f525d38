// SPDX-License-Identifier: Apache-2.0
#include "core/trace/Trace.h"

namespace kinetoscope::trace {

std::string_view Trace::categoryText(CategoryId id) const {
    return id < kKnownCategories ? categoryName(static_cast<Category>(id))
                                 : text(m_otherCategories[id - kKnownCategories]);
}

std::string Trace::rowIdText(RowId id) const {
    return id.isText ? std::string(text(static_cast<NameId>(id.value))) : std::to_string(id.value);
}

}  // namespace kinetoscope::trace
