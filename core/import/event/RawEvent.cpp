// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/RawEvent.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/import/scan/StringDecoder.h"

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

char phaseOf(const RawEvent& event) {
    const scan::JsonText& phase = event[EventField::Phase];
    if (phase.kind != scan::JsonKind::String) {
        return '\0';
    }
    if (!phase.escaped) {
        return phase.size == 1 ? *phase.data : '\0';
    }
    std::string storage;
    const std::string_view text = scan::decodeString(phase, storage).text;
    return text.size() == 1 ? text.front() : '\0';
}

}  // namespace kinetoscope::import::event
