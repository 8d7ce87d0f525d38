// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CaptureInfo.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/stream/CaptureFormat.h"

namespace kinetoscope {

namespace {

using Json = nlohmann::json;

// Null for what is no JSON object; never throws.
Json object(std::string_view text) {
    Json json = Json::parse(text, nullptr, false);
    return json.is_object() ? json : Json();
}

std::int64_t number(const Json& json, const char* key, std::int64_t otherwise) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                             : otherwise;
}

std::string text(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Result<CaptureInfo> parseCaptureInfo(std::string_view jsonText) {
    const Json json = object(jsonText);
    if (json.is_null()) {
        return fail("its header is no JSON");
    }
    CaptureInfo info;
    info.version = number(json, "version", 0);
    if (info.version != capture::kVersion) {
        return fail(
            fmt::format("it is of version {}, and this program knows version {}; open it "
                        "with the kscope that recorded it",
                        info.version, capture::kVersion));
    }
    info.pid = number(json, "pid", 0);
    info.parentPid = number(json, "parent_pid", 0);
    info.program = text(json, "program");
    info.command = text(json, "command");
    info.host = text(json, "host");
    info.rank = number(json, "rank", -1);
    info.localRank = number(json, "local_rank", -1);
    info.worldSize = number(json, "world_size", -1);
    info.level = number(json, "level", 0);
    info.cuptiVersion = number(json, "cupti_version", 0);
    info.driverVersion = number(json, "driver_version", 0);
    info.monotonicNs = number(json, "monotonic_ns", 0);
    info.realtimeNs = number(json, "realtime_ns", 0);
    return info;
}

std::optional<CaptureDevice> parseCaptureDevice(std::string_view jsonText) {
    const Json json = object(jsonText);
    if (json.is_null()) {
        return std::nullopt;
    }
    CaptureDevice device;
    device.id = static_cast<std::uint32_t>(number(json, "id", 0));
    device.name = text(json, "name");
    device.uuid = text(json, "uuid");
    MultiprocessorLimits& limits = device.limits;
    limits.multiprocessors = number(json, "numSms", 0);
    limits.warpSize = number(json, "warpSize", 0);
    limits.threads = number(json, "maxThreadsPerMultiprocessor", 0);
    limits.blocks = number(json, "maxBlocksPerMultiprocessor", 0);
    limits.registers = number(json, "regsPerMultiprocessor", 0);
    limits.sharedBytes = number(json, "sharedMemPerMultiprocessor", 0);
    limits.computeMajor = number(json, "computeMajor", 0);
    device.json = std::string(jsonText);
    return device;
}

std::optional<CaptureNote> parseCaptureNote(std::string_view jsonText) {
    const Json json = object(jsonText);
    CaptureNote note;
    if (!json.is_null()) {
        note.name = text(json, "name");
        note.text = text(json, "text");
        note.count = number(json, "count", 1);
        note.loss = number(json, "loss", 0) != 0;
    }
    return note.name.empty() ? std::nullopt : std::optional(note);
}

}  // namespace kinetoscope
