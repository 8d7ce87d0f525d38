// SPDX-License-Identifier: Apache-2.0
// Members of JSON documents that may be absent or of another type than they should be.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/export/Printable.h"

namespace kinetoscope::fields {

using Json = nlohmann::ordered_json;

[[nodiscard]] inline std::string text(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

[[nodiscard]] inline double number(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
}

// A double outside int64 must not be converted.
[[nodiscard]] inline std::int64_t integer(const Json& json, const char* key) {
    const double value = number(json, key);
    return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : 0;
}

[[nodiscard]] inline std::optional<double> maybeNumber(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<double>())
                                                     : std::nullopt;
}

[[nodiscard]] inline bool flag(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && found->get<bool>();
}

[[nodiscard]] inline const Json& list(const Json& json, const char* key) {
    static const Json kEmpty = Json::array();
    const auto found = json.find(key);
    return found != json.end() && found->is_array() ? *found : kEmpty;
}

/// The object of that name; an empty one where there is none.
[[nodiscard]] inline const Json& object(const Json& json, const char* key) {
    static const Json kEmpty = Json::object();
    const auto found = json.find(key);
    return found != json.end() && found->is_object() ? *found : kEmpty;
}

/// What is an object in the list of that name.
[[nodiscard]] inline auto objects(const Json& json, const char* key) {
    return list(json, key) | std::views::filter([](const Json& one) { return one.is_object(); });
}

template <class T>
[[nodiscard]] Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

/// Text that is no UTF-8 is replaced; the result is safe on a terminal.
[[nodiscard]] inline std::string dump(const Json& json, int indent) {
    return printableJson(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

[[nodiscard]] inline Result<Json> jsonObject(std::string_view text) {
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) {
        return fail("no whole JSON object");
    }
    return json;
}

}  // namespace kinetoscope::fields
