// SPDX-License-Identifier: Apache-2.0
#include "core/json/Json.h"
#include "core/memory/MemoryText.h"

namespace kinetoscope::memory {

namespace {

using Json = nlohmann::ordered_json;

void addPlace(const History& history, PlaceId id, Json& json) {
    const Place& place = history.places[id];
    json["purpose"] = purposeName(place.purpose);
    json["operator"] = std::string(history.name(place.operation));
    json["where"] = std::string(history.name(place.line));
    json["stack"] = Json::array();
    for (const NameId line : place.stack) {
        json["stack"].push_back(std::string(history.name(line)));
    }
}

Json sumJson(const History& history, const PlaceSum& sum) {
    Json json{{"bytes", sum.bytes}, {"blocks", sum.count}};
    addPlace(history, sum.place, json);
    return json;
}

Json blocksJson(const MemoryReport& report, const Device& device,
                const std::vector<std::size_t>& blocks) {
    Json json = Json::array();
    for (const std::size_t i : blocks) {
        const Block& block = device.blocks[i];
        Json one{{"address", block.address}, {"bytes", block.bytes}};
        if (block.from != kBefore) {
            one["since_ns"] = device.allocated[block.from].time;
        }
        addPlace(report.history, block.place, one);
        json.push_back(std::move(one));
    }
    return json;
}

Json deviceJson(const MemoryReport& report, const DeviceReport& figures) {
    const Device& device = report.device(figures);
    Json purposes;
    for (std::size_t i = 0; i < kPurposes; ++i) {
        purposes[std::string(purposeName(static_cast<Purpose>(i)))] =
            figures.atPeakByPurpose[i].bytes;
    }
    Json json{{"device", device.name},
              {"events", device.allocated.size()},
              {"allocated", figures.allocated},
              {"reserved", figures.reserved},
              {"peak_allocated", figures.peakAllocated},
              {"peak_reserved", figures.peakReserved},
              {"peak_ns", figures.peakEvent == kBefore ? Json() : Json(figures.peakTime)},
              {"allocated_before", device.allocatedBefore},
              {"alive_at_peak_by_purpose", std::move(purposes)},
              {"alive_at_peak", Json::array()},
              {"older_at_peak", figures.olderAtPeak},
              {"never_freed_bytes", figures.neverFreedBytes},
              {"never_freed", blocksJson(report, device, figures.neverFreed)},
              {"older_bytes", figures.olderBytes},
              {"older", blocksJson(report, device, figures.older)},
              {"segments", Json::array()},
              {"out_of_memory", Json::array()}};
    for (const PlaceSum& sum : figures.atPeak) {
        json["alive_at_peak"].push_back(sumJson(report.history, sum));
    }
    for (const SegmentSums& sums : device.segments) {
        json["segments"].push_back({{"kind", sums.kind},
                                    {"count", sums.count},
                                    {"bytes", sums.bytes},
                                    {"allocated", sums.allocated},
                                    {"requested", sums.requested},
                                    {"free_between_blocks", sums.freeInUsed},
                                    {"whole_free", sums.wholeFree},
                                    {"largest_free", sums.largestFree}});
    }
    for (const OutOfMemory& event : device.outOfMemory) {
        Json one{{"time_ns", event.time},
                 {"requested", event.requested},
                 {"device_free", event.deviceFree < 0 ? Json() : Json(event.deviceFree)}};
        addPlace(report.history, event.place, one);
        json["out_of_memory"].push_back(std::move(one));
    }
    return json;
}

Json totalsJson(const DeviceTotals& totals) {
    return {{"allocated", totals.allocated},
            {"reserved", totals.reserved},
            {"peak_allocated", totals.peakAllocated},
            {"peak_reserved", totals.peakReserved}};
}

}  // namespace

std::string memoryJson(const MemoryReport& report) {
    Json json{{"schema", "kinetoscope.memory/1"},
              {"file", report.history.file},
              {"source", report.history.source == Source::Trace ? "trace" : "snapshot"},
              {"start_ns", report.history.startNs},
              {"devices", Json::array()}};
    for (const DeviceReport& device : report.devices) {
        json["devices"].push_back(deviceJson(report, device));
    }
    return json::safeJson(json::jsonText(json)) + "\n";
}

std::string comparisonJson(const MemoryComparison& comparison) {
    Json json{{"schema", "kinetoscope.memory-comparison/1"},
              {"baseline", comparison.baselineFile},
              {"candidate", comparison.candidateFile},
              {"devices", Json::array()},
              {"changes", Json::array()}};
    for (const TotalsChange& totals : comparison.devices) {
        json["devices"].push_back({{"device", totals.baseline.device},
                                   {"baseline", totalsJson(totals.baseline)},
                                   {"candidate", totalsJson(totals.candidate)}});
    }
    for (const PlaceChange& change : comparison.changes) {
        json["changes"].push_back({{"device", change.device},
                                   {"operator", change.operation},
                                   {"where", change.line},
                                   {"baseline", change.baseline},
                                   {"candidate", change.candidate},
                                   {"change", change.change()},
                                   {"baseline_blocks", change.baselineCount},
                                   {"candidate_blocks", change.candidateCount},
                                   {"stack", change.stack}});
    }
    return json::safeJson(json::jsonText(json)) + "\n";
}

}  // namespace kinetoscope::memory
