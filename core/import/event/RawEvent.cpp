// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/RawEvent.h"

#include <algorithm>
#include <utility>

namespace kinetoscope::import::event {

std::optional<EventField> eventField(std::string_view key) {
    using Row = std::pair<std::string_view, EventField>;
    static constexpr std::array<Row, kEventFields> kKeys{{{"ts", EventField::Time},
                                                          {"dur", EventField::Duration},
                                                          {"pid", EventField::Pid},
                                                          {"tid", EventField::Tid},
                                                          {"ph", EventField::Phase},
                                                          {"cat", EventField::Category},
                                                          {"name", EventField::Name},
                                                          {"id", EventField::Id},
                                                          {"id2", EventField::Id2},
                                                          {"scope", EventField::IdScope},
                                                          {"s", EventField::Scope},
                                                          {"args", EventField::Args}}};
    const auto row = std::ranges::find(kKeys, key, &Row::first);
    return row == kKeys.end() ? std::nullopt : std::optional(row->second);
}

}  // namespace kinetoscope::import::event
