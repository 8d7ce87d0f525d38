// SPDX-License-Identifier: Apache-2.0
#include "core/sidecar/SessionFields.h"

#include <algorithm>
#include <limits>

namespace kinetoscope::sidecar {

using Json = nlohmann::json;

namespace {

constexpr std::uint64_t kNoTrack = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMaxGpu = std::numeric_limits<std::int16_t>::max();
constexpr std::uint64_t kMaxTopPixels = 10'000;
/// Times of a trace stay below it, so that spans can be subtracted.
constexpr TimeNs kMaxTimeNs = std::numeric_limits<TimeNs>::max() / 4;

std::vector<std::string> textsOf(const Json& array, std::size_t most) {
    std::vector<std::string> texts;
    for (const Json& text : array.is_array() && array.size() <= most ? array : Json::array()) {
        if (text.is_string()) {
            texts.push_back(text.get<std::string>());
        }
    }
    return texts;
}

}  // namespace

std::optional<TimeNs> timeOf(const Json& value) {
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() &&
         value.get<std::uint64_t>() > static_cast<std::uint64_t>(kMaxTimeNs))) {
        return std::nullopt;
    }
    const auto time = value.get<TimeNs>();
    return time >= -kMaxTimeNs ? std::optional(time) : std::nullopt;
}

Json spanJson(TimeSpan span) {
    return Json::array({span.start, span.end});
}

Json sliceJson(const SavedSlice& slice) {
    return {{"slice", slice.slice}, {"start_ns", slice.startNs}, {"name", slice.name}};
}

Json gapJson(const SavedGap& gap) {
    return {{"gpu", gap.gpu}, {"span_ns", spanJson(gap.span)}};
}

Json rowsJson(const SavedRows& rows) {
    return {{"folded", rows.folded},
            {"hidden", rows.hidden},
            {"pinned", rows.pinned},
            {"order", rows.order},
            {"filter", rows.filter}};
}

Json topJson(const SavedTop& top) {
    return {{"row", top.row}, {"pixels", top.pixels}};
}

std::string textAt(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::uint64_t numberAt(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

TimeNs timeAt(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() ? timeOf(*found).value_or(0) : 0;
}

std::optional<TimeSpan> spanAt(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array() || found->size() != 2) {
        return std::nullopt;
    }
    const auto start = timeOf((*found)[0]);
    const auto end = timeOf((*found)[1]);
    return start && end && *start < *end ? std::optional(TimeSpan{*start, *end}) : std::nullopt;
}

std::optional<SavedSlice> sliceAt(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_object()) {
        return std::nullopt;
    }
    const auto start = found->find("start_ns");
    const auto time = start == found->end() ? std::nullopt : timeOf(*start);
    return time
               ? std::optional(SavedSlice{numberAt(*found, "slice"), *time, textAt(*found, "name")})
               : std::nullopt;
}

std::vector<std::uint32_t> tracksAt(const Json& object, const char* key) {
    std::vector<std::uint32_t> tracks;
    const auto found = object.find(key);
    for (const Json& track : found != object.end() && found->is_array() ? *found : Json::array()) {
        const std::uint64_t number =
            track.is_number_unsigned() ? track.get<std::uint64_t>() : kNoTrack;
        if (number < kNoTrack) {
            tracks.push_back(static_cast<std::uint32_t>(number));
        }
    }
    return tracks;
}

bool flagAt(const Json& object, const char* key, bool otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

std::optional<SavedGap> gapAt(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_object()) {
        return std::nullopt;
    }
    const auto span = spanAt(*found, "span_ns");
    const auto gpu = found->find("gpu");
    const bool isNumber = gpu != found->end() && gpu->is_number_integer();
    if (!span || !isNumber || gpu->get<std::int64_t>() < 0 || gpu->get<std::int64_t>() > kMaxGpu) {
        return std::nullopt;
    }
    return SavedGap{static_cast<std::int32_t>(gpu->get<std::int64_t>()), *span};
}

SavedRows rowsAt(const Json& object, const char* key) {
    SavedRows rows;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_object()) {
        return rows;
    }
    const auto list = [&](const char* name, std::size_t most) {
        const auto at = found->find(name);
        return at == found->end() ? std::vector<std::string>() : textsOf(*at, most);
    };
    rows.folded = list("folded", kMaxSavedRows);
    rows.hidden = list("hidden", kMaxSavedRows);
    rows.pinned = list("pinned", kMaxSavedPins);
    const auto order = found->find("order");
    if (order != found->end() && order->is_object() && order->size() <= kMaxSavedRows) {
        for (const auto& [group, keys] : order->items()) {
            if (auto texts = textsOf(keys, kMaxSavedRows); !texts.empty()) {
                rows.order.emplace(group, std::move(texts));
            }
        }
    }
    rows.filter = textAt(*found, "filter");
    if (rows.filter.size() > kMaxSavedFilterBytes) {
        rows.filter.clear();
    }
    return rows;
}

std::optional<SavedTop> topAt(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_object() || textAt(*found, "row").empty()) {
        return std::nullopt;
    }
    return SavedTop{textAt(*found, "row"),
                    static_cast<std::int32_t>(std::min(numberAt(*found, "pixels"), kMaxTopPixels))};
}

}  // namespace kinetoscope::sidecar
