// SPDX-License-Identifier: Apache-2.0
// Members of JSON documents that may be absent or of another type than they should be. `J` is
// nlohmann's json or ordered_json; nothing here throws.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/json/Json.h"

namespace kinetoscope::bench::results::fields {

using Json = nlohmann::ordered_json;

template <class J>
[[nodiscard]] std::string text(const J& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->template get<std::string>()
                                                     : std::string();
}

template <class J>
[[nodiscard]] double number(const J& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->template get<double>() : 0.0;
}

/// A double outside int64 must not be converted: it counts as 0.
template <class J>
[[nodiscard]] std::int64_t integer(const J& json, const char* key) {
    const double value = number(json, key);
    return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : 0;
}

/// The same, 0 where it is not in [0, most]: counts and sizes.
template <class J>
[[nodiscard]] std::int64_t upTo(const J& json, const char* key, std::int64_t most) {
    const std::int64_t value = integer(json, key);
    return value >= 0 && value <= most ? value : 0;
}

/// The same for what is kept as an int.
template <class J>
[[nodiscard]] int small(const J& json, const char* key) {
    return static_cast<int>(upTo(json, key, std::numeric_limits<int>::max()));
}

/// Any number of 64 bits, exactly; 0 if it is not a number.
template <class J>
[[nodiscard]] std::uint64_t bits64(const J& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_unsigned() ? found->template get<std::uint64_t>()
                                                              : 0;
}

/// Whether a time can have been measured; `nsPerUnit` nanoseconds are one of its unit.
[[nodiscard]] inline bool isMeasured(double time, double nsPerUnit = 1.0) {
    constexpr double kMaxNs = 1e18;  // 31 years; sums and squares of such stay finite
    return time >= 0.0 && time * nsPerUnit <= kMaxNs;
}

template <class J>
[[nodiscard]] std::optional<double> maybeNumber(const J& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->template get<double>())
                                                     : std::nullopt;
}

template <class J>
[[nodiscard]] bool flag(const J& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && found->template get<bool>();
}

template <class J>
[[nodiscard]] const J& list(const J& json, const char* key) {
    static const J kEmpty = J::array();
    const auto found = json.find(key);
    return found != json.end() && found->is_array() ? *found : kEmpty;
}

/// The times in a list; anything else is left out.
template <class J>
[[nodiscard]] std::vector<double> times(const J& values, double nsPerUnit = 1.0) {
    std::vector<double> found;
    for (const J& value : values) {
        if (value.is_number() && isMeasured(value.template get<double>(), nsPerUnit)) {
            found.push_back(value.template get<double>());
        }
    }
    return found;
}

/// The strings in a list.
template <class J>
[[nodiscard]] std::vector<std::string> texts(const J& values) {
    std::vector<std::string> found;
    for (const J& value : values) {
        if (value.is_string()) {
            found.push_back(value.template get<std::string>());
        }
    }
    return found;
}

/// The object of that name; an empty one if there is none.
template <class J>
[[nodiscard]] const J& object(const J& json, const char* key) {
    static const J kEmpty = J::object();
    const auto found = json.find(key);
    return found != json.end() && found->is_object() ? *found : kEmpty;
}

/// The objects in the list of that name.
template <class J>
[[nodiscard]] auto objects(const J& json, const char* key) {
    return list(json, key) | std::views::filter([](const J& one) { return one.is_object(); });
}

template <class T>
[[nodiscard]] Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

[[nodiscard]] inline Json textOrNull(const std::string& value) {
    return value.empty() ? Json() : Json(value);
}

[[nodiscard]] inline std::string dump(const Json& json, int indent) {
    return json::jsonText(json, indent);
}

[[nodiscard]] inline Result<Json> jsonObject(std::string_view text) {
    auto json = json::parseOrderedJson(text);
    if (json && !json->is_object()) {
        return fail("is not a JSON object");
    }
    return json;
}

}  // namespace kinetoscope::bench::results::fields
