// SPDX-License-Identifier: Apache-2.0
#include "core/memory/CompareMemory.h"

#include <algorithm>
#include <map>

namespace kinetoscope::memory {

namespace {

using Changes = std::map<std::pair<std::string, std::vector<std::string>>, PlaceChange>;

void addSide(const MemoryReport& report, bool isBaseline, Changes& changes) {
    const History& history = report.history;
    for (const DeviceReport& device : report.devices) {
        const Device& shown = report.device(device);
        const auto last = shown.allocated.empty()
                              ? kBefore
                              : static_cast<std::uint32_t>(shown.allocated.size() - 1);
        for (const PlaceSum& sum : aliveAfter(history, shown, last)) {
            const Place& place = history.places[sum.place];
            std::vector<std::string> stack{std::string(history.name(place.operation))};
            for (const NameId line : place.stack) {
                stack.emplace_back(history.name(line));
            }
            PlaceChange& change = changes[{shown.name, stack}];
            change.device = shown.name;
            change.operation = history.name(place.operation);
            change.line = history.name(place.line);
            stack.erase(stack.begin());
            change.stack = std::move(stack);
            std::int64_t& bytes = isBaseline ? change.baseline : change.candidate;
            bytes = addBytes(bytes, sum.bytes);
            (isBaseline ? change.baselineCount : change.candidateCount) += sum.count;
        }
    }
}

void addTotals(const MemoryReport& report, bool isBaseline,
               std::map<std::string, TotalsChange>& devices) {
    for (const DeviceReport& device : report.devices) {
        const std::string& name = report.device(device).name;
        TotalsChange& totals = devices[name];
        totals.baseline.device = totals.candidate.device = name;
        (isBaseline ? totals.baseline : totals.candidate) = {
            name, device.allocated, device.reserved, device.peakAllocated, device.peakReserved};
    }
}

}  // namespace

MemoryComparison compareMemory(const MemoryReport& baseline, const MemoryReport& candidate) {
    MemoryComparison made{baseline.history.file, candidate.history.file, {}, {}};
    std::map<std::string, TotalsChange> devices;
    Changes changes;
    addTotals(baseline, true, devices);
    addTotals(candidate, false, devices);
    addSide(baseline, true, changes);
    addSide(candidate, false, changes);
    for (auto& [name, totals] : devices) {
        made.devices.push_back(std::move(totals));
    }
    for (auto& [key, change] : changes) {
        if (change.change() != 0 || change.baselineCount != change.candidateCount) {
            made.changes.push_back(std::move(change));
        }
    }
    std::ranges::stable_sort(made.changes, std::ranges::greater{}, &PlaceChange::change);
    return made;
}

}  // namespace kinetoscope::memory
