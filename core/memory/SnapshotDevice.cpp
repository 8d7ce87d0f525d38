// SPDX-License-Identifier: Apache-2.0
#include "core/memory/SnapshotDevice.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "core/trace/ColumnMemory.h"

namespace kinetoscope::memory {

namespace {

constexpr std::int64_t kMinBlock = 512;  // of PyTorch's allocator
constexpr std::int64_t kMiB = 1 << 20;

constexpr std::array<std::string_view, 8> kActions{
    "alloc",       "free_requested", "free_completed", "segment_alloc",
    "segment_map", "segment_free",   "segment_unmap",  "oom"};
enum ActionId : std::size_t {
    Alloc,
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentMap,
    SegmentFree,
    SegmentUnmap,
    Oom
};

std::int64_t sane(std::int64_t bytes) {
    return std::clamp<std::int64_t>(bytes, 0, kMaxBlockBytes);
}

}  // namespace

Rounding::Rounding(const pickle::Document& document, pickle::Value settings) {
    const pickle::Value divisions = document.find(settings, "roundup_power2_divisions");
    for (std::size_t i = 0; i < std::min<std::size_t>(document.members(divisions), 64); ++i) {
        const auto [key, value] = document.member(divisions, i);
        const std::string_view text = document.text(key);
        std::int64_t from = document.integer(key).value_or(-1);
        static_cast<void>(std::from_chars(text.data(), text.data() + text.size(), from));
        const std::int64_t parts = document.integer(value).value_or(0);
        if (from >= 0) {
            const bool divides =
                parts > 1 && std::has_single_bit(static_cast<std::uint64_t>(parts));
            m_divisions[from] = divides ? parts : 1;
        }
    }
}

std::int64_t Rounding::rounded(std::int64_t bytes) const {
    bytes = sane(bytes);
    if (bytes <= kMinBlock) {
        return kMinBlock;
    }
    const auto after = m_divisions.upper_bound(std::max<std::int64_t>(bytes / kMiB, 1));
    if (after != m_divisions.begin()) {
        const std::int64_t parts = std::prev(after)->second;
        if (parts > 1 && bytes > kMinBlock * parts) {
            const auto floor =
                static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes)));
            const std::int64_t step = floor / parts;
            return step > 0 ? (bytes + step - 1) / step * step : bytes;
        }
    }
    return (bytes + kMinBlock - 1) / kMinBlock * kMinBlock;
}

SnapshotDevice::SnapshotDevice(const pickle::Document& document, SnapshotPlaces& places,
                               const Rounding& rounding)
    : m_document(document),
      m_places(places),
      m_rounding(rounding),
      m_events(document, {"action", "addr", "size", "time_us", "frames", "device_free"}) {
    for (std::size_t i = 0; i < kActions.size(); ++i) {
        m_actions[i] = document.key(kActions[i]);
    }
}

void SnapshotDevice::takeEvents(std::span<const Value> events) {
    trace::reserveColumn(m_device.allocated, m_device.allocated.size() + events.size());
    trace::reserveColumn(m_device.blocks, m_device.blocks.size() + events.size() / 2);
    for (const Value event : events) {
        takeEvent(m_events.of(event));
    }
}

void SnapshotDevice::takeEvent(const std::array<Value, FieldCount>& fields) {
    const TimeNs time = std::clamp<std::int64_t>(integer(fields[Time]), 0,
                                                 std::numeric_limits<std::int64_t>::max() / 1000) *
                        1000;
    const auto address = static_cast<std::uint64_t>(integer(fields[Address]));
    const std::int64_t size = sane(integer(fields[Size]));
    const auto action =
        static_cast<std::size_t>(std::ranges::find(m_actions, fields[Action]) - m_actions.begin());
    switch (action) {
        case Alloc:
            allocate(address, m_rounding.rounded(size), fields[Frames]);
            break;
        case FreeRequested:
        case FreeCompleted:
            // The second one of a block finds it gone already.
            if (m_alive.find(address) != AddressTable::kMissing || action == FreeRequested) {
                release(address, m_rounding.rounded(size), fields[Frames]);
            }
            break;
        case SegmentAlloc:
        case SegmentMap:
            reserve(time, size);
            return;
        case SegmentFree:
        case SegmentUnmap:
            reserve(time, -size);
            return;
        case Oom:
            m_device.outOfMemory.push_back({time, size,
                                            m_document.integer(fields[DeviceFree]).value_or(-1),
                                            m_places.of(fields[Frames])});
            return;
        default:
            return;
    }
    m_device.allocated.push_back({time, m_net});
}

void SnapshotDevice::allocate(std::uint64_t address, std::int64_t bytes, Value frames) {
    const auto event = static_cast<std::uint32_t>(m_device.allocated.size());
    m_alive.put(address, static_cast<std::uint32_t>(m_device.blocks.size()));
    m_device.blocks.push_back({address, bytes, event, kNever, m_places.of(frames)});
    m_net = addBytes(m_net, bytes);
}

void SnapshotDevice::release(std::uint64_t address, std::int64_t bytes, Value /*frames*/) {
    const auto event = static_cast<std::uint32_t>(m_device.allocated.size());
    const std::uint32_t row = m_alive.take(address);
    if (row == AddressTable::kMissing) {
        m_before.push_back({address, bytes, kBefore, event, 0});
    } else {
        m_device.blocks[row].to = event;
        bytes = m_device.blocks[row].bytes;
    }
    m_net = addBytes(m_net, -bytes);
}

void SnapshotDevice::reserve(TimeNs time, std::int64_t bytes) {
    m_reserved = addBytes(m_reserved, bytes);
    m_device.reserved.push_back({time, m_reserved});
}

SegmentBlock SnapshotDevice::takeBlock(Value block, std::uint64_t address, SegmentSums& sums) {
    SegmentBlock taken{address, sane(integer(m_document.find(block, "size"))), 0, BlockState::Free,
                       0};
    const std::string_view state = m_document.text(m_document.find(block, "state"));
    if (!state.starts_with("active")) {
        sums.largestFree = std::max(sums.largestFree, taken.bytes);
        return taken;
    }
    // PyTorch 2.0 has both in what the block was used for, the latest first.
    const auto uses = m_document.elements(m_document.find(block, "history"));
    const Value told = uses.empty() ? block : uses.front();
    const Value requested = m_document.find(told, uses.empty() ? "requested_size" : "real_size");
    taken.requested = requested.isNone() ? taken.bytes : sane(integer(requested));
    taken.place = m_places.of(m_document.find(told, "frames"));
    if (state != "active_allocated") {
        taken.state = BlockState::Pending;
        return taken;
    }
    taken.state = BlockState::Allocated;
    sums.allocated = addBytes(sums.allocated, taken.bytes);
    sums.requested = addBytes(sums.requested, taken.requested);
    const std::uint32_t row = m_alive.find(address);
    if (row == AddressTable::kMissing) {
        m_before.push_back({address, taken.bytes, kBefore, kNever, taken.place});
    } else if (Block& known = m_device.blocks[row]; known.bytes != taken.bytes) {
        m_rests.emplace_back(known.from, taken.bytes - known.bytes);
        m_net = addBytes(m_net, taken.bytes - known.bytes);
        known.bytes = taken.bytes;
    }
    return taken;
}

void SnapshotDevice::takeSegment(Value segment) {
    m_hasSegments = true;
    const std::string kind(m_document.text(m_document.find(segment, "segment_type")).substr(0, 64));
    SegmentSums& sums = m_sums[kind];
    sums.kind = kind;
    Segment taken;
    taken.bytes = sane(integer(m_document.find(segment, "total_size")));
    taken.address = static_cast<std::uint64_t>(integer(m_document.find(segment, "address")));
    auto address = taken.address;
    const std::int64_t before = sums.allocated;
    std::int64_t used = 0;
    for (const Value block : m_document.elements(m_document.find(segment, "blocks"))) {
        // The first versions give the size alone: blocks lie one behind the other.
        const Value at = m_document.find(block, "address");
        if (!at.isNone()) {
            address = static_cast<std::uint64_t>(integer(at));
        }
        taken.blocks.push_back(takeBlock(block, address, sums));
        const SegmentBlock& last = taken.blocks.back();
        used = addBytes(used, last.state == BlockState::Free ? 0 : last.bytes);
        address += static_cast<std::uint64_t>(last.bytes);
    }
    ++sums.count;
    sums.bytes = addBytes(sums.bytes, taken.bytes);
    if (used == 0) {
        ++sums.wholeFree;
    } else {
        sums.freeInUsed = addBytes(sums.freeInUsed, std::max<std::int64_t>(taken.bytes - used, 0));
    }
    m_allocatedNow = addBytes(m_allocatedNow, sums.allocated - before);
    m_reservedNow = addBytes(m_reservedNow, taken.bytes);
    m_segments.emplace_back(std::move(taken), kind);
}

void SnapshotDevice::addRests() {
    std::ranges::sort(m_rests);
    auto next = m_rests.begin();
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < m_device.allocated.size() && !m_rests.empty(); ++i) {
        for (; next != m_rests.end() && next->first <= i; ++next) {
            sum = addBytes(sum, next->second);
        }
        m_device.allocated[i].bytes = addBytes(m_device.allocated[i].bytes, sum);
    }
}

Device SnapshotDevice::finish() {
    addRests();
    // Before the first event: what is there now without what the events did. Without segments, at
    // least what the events free.
    std::int64_t before = 0;
    for (const Block& block : m_before) {
        before = addBytes(before, block.bytes);
    }
    m_device.allocatedBefore =
        m_hasSegments ? std::max<std::int64_t>(addBytes(m_allocatedNow, -m_net), 0) : before;
    m_device.reservedBefore =
        m_hasSegments ? std::max<std::int64_t>(addBytes(m_reservedNow, -m_reserved), 0) : 0;
    for (Usage& usage : m_device.allocated) {
        usage.bytes = addBytes(usage.bytes, m_device.allocatedBefore);
    }
    for (Usage& usage : m_device.reserved) {
        usage.bytes = addBytes(usage.bytes, m_device.reservedBefore);
    }
    m_device.blocks.insert(m_device.blocks.begin(), m_before.begin(), m_before.end());
    for (auto& [segment, kind] : m_segments) {
        segment.kind = static_cast<std::uint32_t>(std::distance(m_sums.begin(), m_sums.find(kind)));
        m_device.segmentList.push_back(std::move(segment));
    }
    std::ranges::stable_sort(m_device.segmentList, {}, &Segment::address);
    for (auto& [kind, sums] : m_sums) {
        m_device.segments.push_back(std::move(sums));
    }
    return std::move(m_device);
}

}  // namespace kinetoscope::memory
