// SPDX-License-Identifier: Apache-2.0
#include "core/import/RunInfoReader.h"

#include <concepts>

#include "core/json/Json.h"

namespace kinetoscope {

namespace {

using Json = nlohmann::json;

// The member as a number or text of this type; the default when it is missing or something else.
template <class T>
T valueOf(const Json& object, const char* key, T otherwise) {
    const auto member = object.find(key);
    if (member == object.end()) {
        return otherwise;
    }
    if constexpr (std::integral<T>) {
        return member->is_number() ? member->template get<T>() : otherwise;
    } else {
        return member->is_string() ? member->template get<T>() : otherwise;
    }
}

DeviceProperties device(const Json& entry) {
    DeviceProperties properties;
    properties.id = valueOf<std::int64_t>(entry, "id", 0);
    properties.name = valueOf<std::string>(entry, "name", {});
    properties.totalMemoryBytes = valueOf<std::uint64_t>(entry, "totalGlobalMem", 0);
    properties.computeMajor = valueOf<int>(entry, "computeMajor", 0);
    properties.computeMinor = valueOf<int>(entry, "computeMinor", 0);
    properties.multiprocessors = valueOf<int>(entry, "numSms", 0);
    properties.warpSize = valueOf<int>(entry, "warpSize", 0);
    properties.maxThreadsPerMultiprocessor = valueOf<int>(entry, "maxThreadsPerMultiprocessor", 0);
    properties.json = jsonText(entry);
    return properties;
}

}  // namespace

void readKnownFields(RunInfo& info) {
    for (const RunField& field : info.fields) {
        const bool known = field.key == "deviceProperties" || field.key == "distributedInfo" ||
                           field.key == "baseTimeNanoseconds";
        const Json value = known ? parseJson(field.json).value_or(Json()) : Json();
        if (field.key == "baseTimeNanoseconds" && value.is_number_integer()) {
            info.baseTimeNs = value.get<TimeNs>();
        } else if (field.key == "distributedInfo" && value.is_object()) {
            info.distributed = DistributedInfo{valueOf<std::string>(value, "backend", {}),
                                               valueOf<std::int64_t>(value, "rank", -1),
                                               valueOf<std::int64_t>(value, "world_size", -1)};
        } else if (field.key == "deviceProperties" && value.is_array()) {
            for (const Json& entry : value) {
                if (entry.is_object()) {
                    info.devices.push_back(device(entry));
                }
            }
        }
    }
}

}  // namespace kinetoscope
