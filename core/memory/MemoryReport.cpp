// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MemoryReport.h"

#include <algorithm>

namespace kinetoscope::memory {

namespace {

bool isAliveAtStart(const Block& block) {
    return block.from == kBefore;
}

void findPeak(const Device& device, DeviceReport& report) {
    report.peakAllocated = device.allocatedBefore;
    for (std::size_t i = 0; i < device.allocated.size(); ++i) {
        if (device.allocated[i].bytes > report.peakAllocated) {
            report.peakAllocated = device.allocated[i].bytes;
            report.peakTime = device.allocated[i].time;
            report.peakEvent = static_cast<std::uint32_t>(i);
        }
    }
    report.peakReserved = device.reservedBefore;
    for (const Usage& usage : device.reserved) {
        report.peakReserved = std::max(report.peakReserved, usage.bytes);
    }
}

void listKept(const Device& device, DeviceReport& report) {
    for (std::size_t i = 0; i < device.blocks.size(); ++i) {
        const Block& block = device.blocks[i];
        if (block.to != kNever) {
            continue;
        }
        const bool older = block.from == kBefore;
        (older ? report.older : report.neverFreed).push_back(i);
        (older ? report.olderBytes : report.neverFreedBytes) += block.bytes;
    }
    for (auto* const list : {&report.neverFreed, &report.older}) {
        std::ranges::sort(*list, [&](std::size_t a, std::size_t b) {
            const Block& first = device.blocks[a];
            const Block& second = device.blocks[b];
            return first.bytes != second.bytes ? first.bytes > second.bytes : a > b;
        });
    }
}

}  // namespace

std::vector<PlaceSum> aliveAfter(const History& history, const Device& device,
                                 std::uint32_t event) {
    std::vector<PlaceSum> sums(history.places.size());
    for (const Block& block : device.blocks) {
        if (event == kBefore ? isAliveAtStart(block) : block.isAliveAfter(event)) {
            sums[block.place].bytes += block.bytes;
            ++sums[block.place].count;
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i].place = static_cast<PlaceId>(i);
    }
    std::erase_if(sums, [](const PlaceSum& sum) { return sum.count == 0; });
    std::ranges::stable_sort(sums, std::ranges::greater{}, &PlaceSum::bytes);
    return sums;
}

namespace {

// What is allocated at the peak and in no block: older than the first event.
void addUntold(DeviceReport& report) {
    std::int64_t told = 0;
    for (const PlaceSum& sum : report.atPeak) {
        told += sum.bytes;
    }
    const std::int64_t rest = report.peakAllocated - told;
    if (rest <= 0) {
        return;
    }
    const auto unknown = std::ranges::find(report.atPeak, PlaceId{0}, &PlaceSum::place);
    if (unknown == report.atPeak.end()) {
        report.atPeak.push_back({0, rest, 0});
    } else {
        unknown->bytes += rest;
    }
    report.olderAtPeak += rest;
    std::ranges::stable_sort(report.atPeak, std::ranges::greater{}, &PlaceSum::bytes);
}

}  // namespace

MemoryReport reportOf(History history) {
    MemoryReport made{std::move(history), {}};
    for (std::size_t i = 0; i < made.history.devices.size(); ++i) {
        const Device& device = made.history.devices[i];
        DeviceReport report;
        report.device = i;
        report.allocated = device.allocatedAtEnd();
        report.reserved = device.reservedAtEnd();
        findPeak(device, report);
        report.atPeak = aliveAfter(made.history, device, report.peakEvent);
        for (const Block& block : device.blocks) {
            const bool alive = report.peakEvent == kBefore || block.isAliveAfter(report.peakEvent);
            report.olderAtPeak += block.from == kBefore && alive ? block.bytes : 0;
        }
        addUntold(report);
        for (const PlaceSum& sum : report.atPeak) {
            PlaceSum& purpose = report.atPeakByPurpose[static_cast<std::size_t>(
                made.history.places[sum.place].purpose)];
            purpose.bytes += sum.bytes;
            purpose.count += sum.count;
        }
        listKept(device, report);
        made.devices.push_back(std::move(report));
    }
    return made;
}

}  // namespace kinetoscope::memory
