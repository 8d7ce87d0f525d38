// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CaptureInfo.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/json/Json.h"
#include "core/stream/CaptureFormat.h"

namespace kinetoscope::stream {

using namespace format;

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMaxProcesses = std::int64_t{1} << 31;  // pids and ranks
constexpr std::int64_t kMaxVersion = 1'000'000'000;
constexpr std::int64_t kMaxNoted = std::int64_t{1} << 53;

// Null for what is not a JSON object, or one past the limits.
Json object(std::string_view text) {
    return json::parseJsonObject(text).value_or(Json());
}

// The integer of that name when it is one in [least, most].
std::optional<std::int64_t> numberIn(const Json& json, const char* key, std::int64_t least,
                                     std::int64_t most) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number_integer()) {
        return std::nullopt;
    }
    const bool large = found->is_number_unsigned() &&
                       found->get<std::uint64_t>() > static_cast<std::uint64_t>(most);
    const auto value = large ? std::int64_t{-1} : found->get<std::int64_t>();
    return large || value < least || value > most ? std::nullopt : std::optional(value);
}

std::int64_t upTo(const Json& json, const char* key, std::int64_t most,
                  std::int64_t otherwise = 0) {
    return numberIn(json, key, 0, most).value_or(otherwise);
}

std::string text(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A clock that is missing stands at 0; one that cannot be is of no use.
std::optional<TimeNs> clock(const Json& json, const char* key, TimeNs most) {
    return json.contains(key) ? numberIn(json, key, 0, most) : std::optional<TimeNs>(0);
}

MultiprocessorLimits limitsOf(const Json& json) {
    MultiprocessorLimits limits;
    limits.multiprocessors = upTo(json, "numSms", format::kMaxOfMultiprocessor);
    limits.warpSize = upTo(json, "warpSize", format::kMaxOfMultiprocessor);
    limits.threads = upTo(json, "maxThreadsPerMultiprocessor", format::kMaxOfMultiprocessor);
    limits.blocks = upTo(json, "maxBlocksPerMultiprocessor", format::kMaxOfMultiprocessor);
    limits.registers = upTo(json, "regsPerMultiprocessor", format::kMaxOfMultiprocessor);
    limits.sharedBytes = upTo(json, "sharedMemPerMultiprocessor", format::kMaxOfMultiprocessor);
    limits.computeMajor = upTo(json, "computeMajor", format::kMaxOfMultiprocessor);
    return limits;
}

}  // namespace

Result<CaptureInfo> parseCaptureInfo(std::string_view source) {
    const auto parsed = json::parseJsonObject(source);
    if (!parsed) {
        return fail("its header " + parsed.error().message);
    }
    const Json& json = *parsed;
    CaptureInfo info;
    info.version = upTo(json, "version", kMaxVersion);
    if (info.version != format::kVersion) {
        return fail(
            fmt::format("it is of version {}, and this program knows version {}; open it "
                        "with the kscope that recorded it",
                        info.version, format::kVersion));
    }
    const auto monotonic = clock(json, "monotonic_ns", format::kLatestTime);
    const auto realtime = clock(json, "realtime_ns", format::kLatestUnixTime);
    if (!monotonic || !realtime) {
        return fail("its header has a clock that no computer shows");
    }
    info.pid = upTo(json, "pid", kMaxProcesses);
    info.parentPid = upTo(json, "parent_pid", kMaxProcesses);
    info.program = text(json, "program");
    info.command = text(json, "command");
    info.host = text(json, "host");
    info.rank = upTo(json, "rank", kMaxProcesses, -1);
    info.localRank = upTo(json, "local_rank", kMaxProcesses, -1);
    info.worldSize = upTo(json, "world_size", kMaxProcesses, -1);
    info.level = upTo(json, "level", kMaxVersion);
    info.cuptiVersion = upTo(json, "cupti_version", kMaxVersion);
    info.driverVersion = upTo(json, "driver_version", kMaxVersion);
    info.monotonicNs = *monotonic;
    info.realtimeNs = *realtime;
    return info;
}

std::optional<CaptureDevice> parseCaptureDevice(std::string_view source) {
    const Json json = object(source);
    if (json.is_null()) {
        return std::nullopt;
    }
    // A GPU without a number, or with one that no record can name, is of no use.
    const auto id = json.contains("id") ? numberIn(json, "id", 0, format::kMaxDevices - 1)
                                        : std::optional<std::int64_t>(0);
    if (!id) {
        return std::nullopt;
    }
    CaptureDevice device;
    device.id = static_cast<std::uint32_t>(*id);
    device.name = text(json, "name");
    device.uuid = text(json, "uuid");
    device.limits = limitsOf(json);
    device.totalMemoryBytes =
        static_cast<std::uint64_t>(upTo(json, "totalGlobalMem", format::kMaxBytes));
    device.computeMinor = upTo(json, "computeMinor", format::kMaxOfMultiprocessor);
    device.json = std::string(source);
    return device;
}

std::optional<CaptureNote> parseCaptureNote(std::string_view source) {
    const Json json = object(source);
    CaptureNote note;
    if (!json.is_null()) {
        note.name = text(json, "name");
        note.text = text(json, "text");
        note.count = upTo(json, "count", kMaxNoted, 1);
        note.loss = upTo(json, "loss", 1) != 0;
    }
    return note.name.empty() ? std::nullopt : std::optional(note);
}

std::string CaptureDevice::jsonOfRow(std::int64_t row) const {
    std::string text = json;
    const std::string own = fmt::format("\"id\": {},", id);
    if (const std::size_t at = text.find(own); at != std::string::npos) {
        text.replace(at, own.size(), fmt::format("\"id\": {},", row));
    }
    return text;
}

void addDevice(std::vector<CaptureDevice>& devices, CaptureDevice device) {
    if (std::ranges::find(devices, device.id, &CaptureDevice::id) == devices.end()) {
        devices.push_back(std::move(device));
    }
}

}  // namespace kinetoscope::stream
