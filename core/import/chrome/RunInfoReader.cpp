// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/RunInfoReader.h"

#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <utility>

#include "core/import/repair/JsonRepair.h"
#include "core/import/scan/Decimal.h"
#include "core/json/Json.h"
#include "core/stream/CaptureFormat.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::chrome {

namespace {

using Json = nlohmann::json;

// Nothing for a number that T cannot hold. Some writers put numbers into quotes.
template <std::integral T>
std::optional<T> wholeNumber(const Json& value) {
    constexpr double kExact = 9007199254740992.0;  // 2^53; what is beyond may be past any integer
    if (value.is_string()) {
        const scan::Decimal number = scan::parseDecimal(value.get_ref<const std::string&>(), 0);
        return number.ok() && std::in_range<T>(number.value)
                   ? std::optional(static_cast<T>(number.value))
                   : std::nullopt;
    }
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
    }
    const double real = value.is_number_float() ? value.get<double>() : 0.0;
    if (!value.is_number() || std::abs(real) > kExact) {
        return std::nullopt;
    }
    const auto number =
        value.is_number_float() ? static_cast<std::int64_t>(real) : value.get<std::int64_t>();
    return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
}

// The member as a number or text of this type; the default when it is missing or something else.
template <class T>
T valueOf(const Json& object, const char* key, T otherwise) {
    const auto member = object.find(key);
    if (member == object.end()) {
        return otherwise;
    }
    if constexpr (std::integral<T>) {
        return wholeNumber<T>(*member).value_or(otherwise);
    } else {
        return member->is_string() ? member->template get<T>() : otherwise;
    }
}

trace::DeviceProperties device(const Json& entry) {
    trace::DeviceProperties properties;
    properties.id = valueOf<std::int64_t>(entry, "id", 0);
    properties.name = valueOf<std::string>(entry, "name", {});
    properties.totalMemoryBytes = valueOf<std::uint64_t>(entry, "totalGlobalMem", 0);
    properties.computeMajor = valueOf<int>(entry, "computeMajor", 0);
    properties.computeMinor = valueOf<int>(entry, "computeMinor", 0);
    properties.multiprocessors = valueOf<int>(entry, "numSms", 0);
    properties.warpSize = valueOf<int>(entry, "warpSize", 0);
    properties.maxThreadsPerMultiprocessor = valueOf<int>(entry, "maxThreadsPerMultiprocessor", 0);
    properties.json = json::jsonText(entry);
    return properties;
}

// Damage that a tolerant reader understands, such as NaN, costs a value, not all of them.
Json valueIn(const std::string& text) {
    auto value = json::parseJson(text);
    return value ? std::move(*value) : json::parseJson(repair::repairedJson(text)).value_or(Json());
}

// Never through a double, which cannot hold today's nanoseconds.
std::optional<TimeNs> baseTimeOf(std::string_view text) {
    const scan::Decimal time = scan::parseDecimal(trace::unquoted(text), 0);
    return time.ok() ? std::optional(time.value) : std::nullopt;
}

// What is missing or no number leaves no window; kscope cut writes no number in quotes.
std::optional<TimeSpan> cutWindow(const Json& origin) {
    if (origin.value("start_ns", Json()).is_string() ||
        origin.value("end_ns", Json()).is_string()) {
        return std::nullopt;
    }
    const TimeSpan window{valueOf(origin, "start_ns", std::numeric_limits<TimeNs>::max()),
                          valueOf(origin, "end_ns", std::numeric_limits<TimeNs>::min())};
    return window.start <= window.end ? std::optional(window) : std::nullopt;
}

}  // namespace

void readKnownFields(trace::RunInfo& info) {
    for (const trace::RunField& field : info.fields) {
        const bool known = field.key == "deviceProperties" || field.key == "distributedInfo" ||
                           field.key == "baseTimeNanoseconds" || field.key == "kinetoscopeCut";
        const Json value = known ? valueIn(field.json) : Json();
        const auto baseTime =
            field.key == "baseTimeNanoseconds" ? baseTimeOf(field.json) : std::optional<TimeNs>();
        // Any time of the trace can be added to it.
        if (baseTime && *baseTime >= 0 && *baseTime <= stream::format::kLatestUnixTime) {
            info.baseTimeNs = baseTime;
        } else if (field.key == "distributedInfo" && value.is_object()) {
            info.distributed =
                trace::DistributedInfo{valueOf<std::string>(value, "backend", {}),
                                       valueOf<std::int64_t>(value, "rank", -1),
                                       valueOf<std::int64_t>(value, "world_size", -1)};
        } else if (field.key == "kinetoscopeCut" && value.is_object()) {
            info.cutWindow = cutWindow(value);
        } else if (field.key == "deviceProperties" && value.is_array()) {
            for (const Json& entry : value) {
                if (entry.is_object()) {
                    info.devices.push_back(device(entry));
                }
            }
        }
    }
}

}  // namespace kinetoscope::import::chrome
