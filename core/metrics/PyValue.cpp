// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/PyValue.h"

namespace kinetoscope::metrics {

std::optional<std::int64_t> PyValue::asInt() const {
    if (kind == Kind::Int || kind == Kind::Bool) {
        return integer;
    }
    return std::nullopt;
}

std::optional<double> PyValue::asNumber() const {
    if (kind == Kind::Float) {
        return number;
    }
    if (kind == Kind::Int) {
        return static_cast<double>(integer);
    }
    return std::nullopt;
}

const PyValue* PyValue::find(std::string_view key) const {
    const PyValue* found = nullptr;
    for (const auto& [name, value] : entries) {
        if (name.kind == Kind::String && name.text == key) {
            found = &value;
        }
    }
    for (const auto& [name, value] : keywords) {
        if (name == key) {
            found = &value;
        }
    }
    return found;
}

}  // namespace kinetoscope::metrics
