// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/memory/MemoryReport.h"

namespace kinetoscope::memory {

/// Memory of one place at the end of two files.
struct PlaceChange {
    std::string device;
    std::string operation;
    std::string line;
    std::vector<std::string> stack;
    std::int64_t baseline = 0;  ///< bytes
    std::int64_t candidate = 0;
    std::uint64_t baselineCount = 0;
    std::uint64_t candidateCount = 0;

    [[nodiscard]] std::int64_t change() const { return candidate - baseline; }
};

struct DeviceTotals {
    std::string device;
    std::int64_t allocated = 0;
    std::int64_t reserved = 0;
    std::int64_t peakAllocated = 0;
    std::int64_t peakReserved = 0;
};

struct TotalsChange {
    DeviceTotals baseline;
    DeviceTotals candidate;
};

/// Two snapshots or traces. Places belong together by device and stack.
struct MemoryComparison {
    std::string baselineFile;
    std::string candidateFile;
    std::vector<TotalsChange> devices;
    std::vector<PlaceChange> changes;  ///< what grew most first; equal ones are left out
};

[[nodiscard]] MemoryComparison compareMemory(const MemoryReport& baseline,
                                             const MemoryReport& candidate);

}  // namespace kinetoscope::memory
