// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MemoryReport.h"

#include <algorithm>
#include <map>

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
        std::int64_t& bytes = older ? report.olderBytes : report.neverFreedBytes;
        bytes = addBytes(bytes, block.bytes);
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
    std::int64_t told = 0;
    for (std::size_t i = 0; i < device.blocks.size(); ++i) {
        const Block& block = device.blocks[i];
        if (event == kBefore ? isAliveAtStart(block) : block.isAliveAfter(event)) {
            PlaceSum& sum = sums[block.place];
            sum.bytes = addBytes(sum.bytes, block.bytes);
            ++sum.count;
            if (sum.largest == kNoBlock || block.bytes > device.blocks[sum.largest].bytes) {
                sum.largest = static_cast<std::uint32_t>(i);
            }
            told = addBytes(told, block.bytes);
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i].place = static_cast<PlaceId>(i);
    }
    // Allocated bytes outside all blocks are older than the first event.
    const std::int64_t allocated =
        event == kBefore ? device.allocatedBefore : device.allocated[event].bytes;
    sums[0].bytes = addBytes(sums[0].bytes, std::max<std::int64_t>(allocated - told, 0));
    std::erase_if(sums, [](const PlaceSum& sum) { return sum.count == 0 && sum.bytes == 0; });
    std::ranges::stable_sort(sums, std::ranges::greater{}, &PlaceSum::bytes);
    return sums;
}

GroupKey groupKey(const History& history, PlaceId id, GroupBy by) {
    const Place& place = history.places[id];
    switch (by) {
        case GroupBy::Place:
            return {place.purpose, place.operation, place.line, 0};
        case GroupBy::Operator:
            return {Purpose::Untold, place.operation, kEmptyName, id == 0 ? 0 : 1};
        case GroupBy::Purpose:
            return {place.purpose, kEmptyName, kEmptyName, 0};
        case GroupBy::Stack:
            break;
    }
    return {Purpose::Untold, kEmptyName, kEmptyName, id};
}

std::vector<PlaceSum> grouped(const History& history, const std::vector<PlaceSum>& sums,
                              GroupBy by) {
    std::map<GroupKey, PlaceSum> rows;
    for (const PlaceSum& sum : sums) {  // most bytes first: the first place of a row has most of it
        const auto [at, isNew] = rows.try_emplace(groupKey(history, sum.place, by), sum);
        if (!isNew) {
            at->second.bytes = addBytes(at->second.bytes, sum.bytes);
            at->second.count += sum.count;
        }
    }
    std::vector<PlaceSum> made;
    made.reserve(rows.size());
    for (const auto& [key, sum] : rows) {
        made.push_back(sum);
    }
    std::ranges::stable_sort(made, std::ranges::greater{}, &PlaceSum::bytes);
    return made;
}

std::uint32_t peakWithin(const Device& device, TimeSpan time) {
    const std::vector<Usage>& usages = device.allocated;
    auto at = std::ranges::upper_bound(usages, time.start, {}, &Usage::time);
    std::uint32_t peak =
        at == usages.begin() ? kBefore : static_cast<std::uint32_t>(at - usages.begin() - 1);
    std::int64_t most = at == usages.begin() ? device.allocatedBefore : std::prev(at)->bytes;
    for (; at != usages.end() && at->time < time.end; ++at) {
        if (at->bytes > most) {
            most = at->bytes;
            peak = static_cast<std::uint32_t>(at - usages.begin());
        }
    }
    return peak;
}

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
        std::int64_t events = 0;
        for (const Block& block : device.blocks) {
            const bool alive = report.peakEvent != kBefore && block.isAliveAfter(report.peakEvent);
            events = addBytes(events, block.from != kBefore && alive ? block.bytes : 0);
        }
        report.olderAtPeak = std::max<std::int64_t>(report.peakAllocated - events, 0);
        for (const PlaceSum& sum : report.atPeak) {
            PlaceSum& purpose = report.atPeakByPurpose[static_cast<std::size_t>(
                made.history.places[sum.place].purpose)];
            purpose.bytes = addBytes(purpose.bytes, sum.bytes);
            purpose.count += sum.count;
        }
        listKept(device, report);
        made.devices.push_back(std::move(report));
    }
    return made;
}

}  // namespace kinetoscope::memory
