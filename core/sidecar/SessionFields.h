// SPDX-License-Identifier: Apache-2.0
// Members of a session's JSON, one function for each kind and direction. Members that are missing,
// of another type or beyond a limit have their default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json/Json.h"
#include "core/sidecar/SavedView.h"

namespace kinetoscope::sidecar {

[[nodiscard]] nlohmann::json spanJson(TimeSpan span);
[[nodiscard]] nlohmann::json sliceJson(const SavedSlice& slice);
[[nodiscard]] nlohmann::json gapJson(const SavedGap& gap);
[[nodiscard]] nlohmann::json rowsJson(const SavedRows& rows);
[[nodiscard]] nlohmann::json topJson(const SavedTop& top);

[[nodiscard]] std::string textAt(const nlohmann::json& object, const char* key);
[[nodiscard]] std::uint64_t numberAt(const nlohmann::json& object, const char* key);
[[nodiscard]] bool flagAt(const nlohmann::json& object, const char* key, bool otherwise);
/// A time of a trace; nothing for anything else.
[[nodiscard]] std::optional<TimeNs> timeOf(const nlohmann::json& value);
[[nodiscard]] TimeNs timeAt(const nlohmann::json& object, const char* key);
/// None that is empty or ends before it starts.
[[nodiscard]] std::optional<TimeSpan> spanAt(const nlohmann::json& object, const char* key);
[[nodiscard]] std::optional<SavedSlice> sliceAt(const nlohmann::json& object, const char* key);
[[nodiscard]] std::optional<SavedGap> gapAt(const nlohmann::json& object, const char* key);
[[nodiscard]] std::vector<std::uint32_t> tracksAt(const nlohmann::json& object, const char* key);
[[nodiscard]] SavedRows rowsAt(const nlohmann::json& object, const char* key);
[[nodiscard]] std::optional<SavedTop> topAt(const nlohmann::json& object, const char* key);

}  // namespace kinetoscope::sidecar
