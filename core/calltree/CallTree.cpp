// SPDX-License-Identifier: Apache-2.0
#include "core/calltree/CallTree.h"

#include <algorithm>

namespace kinetoscope::calltree {

std::string_view CallTree::text(const trace::Trace& trace, NameId name) const {
    if (m_merged) {
        const auto found = std::ranges::find(m_merged->shown, name, &MergedNames::Shown::name);
        if (found != m_merged->shown.end()) {
            return found->text;
        }
    }
    return trace.text(name);
}

}  // namespace kinetoscope::calltree
