// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/memory/AddressTable.h"
#include "core/memory/History.h"
#include "core/memory/Places.h"
#include "core/pickle/Document.h"
#include "core/pickle/Fields.h"

namespace kinetoscope::memory {

/// How the allocator rounds requested sizes, by its settings: its statistics count rounded sizes,
/// but events have the requested ones.
class Rounding {
public:
    Rounding() = default;
    Rounding(const pickle::Document& document, pickle::Value settings);

    [[nodiscard]] std::int64_t rounded(std::int64_t bytes) const;

private:
    std::map<std::int64_t, std::int64_t>
        m_divisions;  // of a power of two, from so many MiB on; 1: none
};

/// Makes one device of a snapshot: events first, then its segments, then finish().
class SnapshotDevice {
public:
    SnapshotDevice(const pickle::Document& document, SnapshotPlaces& places,
                   const Rounding& rounding);

    void takeEvents(std::span<const pickle::Value> events);
    void takeSegment(pickle::Value segment);
    /// The device; its times are nanoseconds since 1970 still.
    [[nodiscard]] Device finish();
    [[nodiscard]] bool isEmpty() const { return m_device.allocated.empty() && m_sums.empty(); }

private:
    using Value = pickle::Value;
    enum Field : std::size_t { Action, Address, Size, Time, Frames, DeviceFree, FieldCount };

    void takeEvent(const std::array<Value, FieldCount>& fields);
    void allocate(std::uint64_t address, std::int64_t bytes, Value frames);
    void release(std::uint64_t address, std::int64_t bytes, Value frames);
    void reserve(TimeNs time, std::int64_t bytes);
    void addRests();
    [[nodiscard]] SegmentBlock takeBlock(Value block, std::uint64_t address, SegmentSums& sums);
    [[nodiscard]] std::int64_t integer(Value value) const {
        return m_document.integer(value).value_or(0);
    }

    const pickle::Document& m_document;
    SnapshotPlaces& m_places;
    const Rounding& m_rounding;
    pickle::Fields<FieldCount> m_events;
    std::array<Value, 8> m_actions;

    Device m_device;
    AddressTable m_alive;  // rows of m_device.blocks
    std::vector<Block> m_before;
    /// Bytes by which blocks are larger than what they were rounded to, from their event on: a rest
    /// that is not worth a block of its own stays with them.
    std::vector<std::pair<std::uint32_t, std::int64_t>> m_rests;
    std::map<std::string, SegmentSums> m_sums;
    std::vector<std::pair<Segment, std::string>> m_segments;  ///< with their kinds
    std::int64_t m_net = 0;                                   // bytes, of the events so far
    std::int64_t m_reserved = 0;                              // likewise
    std::int64_t m_allocatedNow = 0;                          // by the segments
    std::int64_t m_reservedNow = 0;
    bool m_hasSegments = false;
};

}  // namespace kinetoscope::memory
