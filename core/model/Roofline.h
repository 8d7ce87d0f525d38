// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/Gpus.h"
#include "core/model/LaunchedCalls.h"

namespace kinetoscope::model {

/// What a row of the roofline is about.
enum class RooflineBy : std::uint8_t { Operator, Shape, Kernel, Module };

/// What keeps a call from being faster.
enum class Bound : std::uint8_t {
    Compute,  ///< its operations take longer than its bytes
    Memory,   ///< the other way round
    Latency,  ///< shorter than 5 µs, and below half of either roof
    Link,     ///< what it waits for is not the GPU: a copy from the host, a collective
    Unknown,  ///< no roof of this GPU or type is known
};
[[nodiscard]] std::string_view boundName(Bound bound);

struct RooflineRow {
    std::string name;
    std::string shapes;  ///< "" where calls differ
    std::string types;   ///< "" where calls differ
    std::string peak;    ///< of which type the peak is: "bf16"; "" where calls differ
    std::uint64_t count = 0;
    TimeNs timeNs = 0;  ///< union of the GPU operations of each call, added up
    std::uint64_t flops = 0;
    std::uint64_t countedFlops = 0;
    std::uint64_t bytes = 0;
    Bound bound = Bound::Unknown;
    double computeNs = 0.0;                    ///< operations at the peak
    double memoryNs = 0.0;                     ///< bytes at the bandwidth
    std::optional<double> efficiency;          ///< of the time at the roof; nothing without a roof
    TimeNs recoverableNs = 0;                  ///< time beyond that at the roof
    std::string note;                          ///< what is odd about the row
    trace::SliceId longest = trace::kNoSlice;  ///< the longest GPU operation

    [[nodiscard]] double teraflopsPerSecond() const;
    [[nodiscard]] double gigabytesPerSecond() const;
    /// Operations for each byte; nothing without bytes.
    [[nodiscard]] std::optional<double> intensity() const;
};

/// GPU time whose work is not known, by what launched it and why.
struct UncoveredRow {
    std::string name;
    Missing missing = Missing::Row;
    std::uint64_t count = 0;
    TimeNs timeNs = 0;
    TimeNs kernelNs = 0;
};

struct DeviceRoof {
    std::int32_t gpu = 0;
    std::string device;             ///< as the trace names it; "" where it does not
    const GpuRoof* roof = nullptr;  ///< null: not known
};

inline constexpr std::uint32_t kNoRow = 0xffffffff;

struct Roofline {
    RooflineBy by = RooflineBy::Operator;
    std::vector<DeviceRoof> roofs;  ///< by GPU
    TimeNs kernelNs = 0;            ///< of all kernels
    TimeNs modelledNs = 0;          ///< of those whose work is known
    std::vector<RooflineRow> rows;  ///< most recoverable time first
    /// The row of each of LaunchedCalls::operations; kNoRow where its work is not known.
    std::vector<std::uint32_t> rowOfOperation;
    std::vector<UncoveredRow> uncovered;  ///< most kernel time first
    /// What FlopCounterMode would count, by its own names.
    std::map<std::string, std::uint64_t> counted;

    /// From 0 to 1; 1 without kernels.
    [[nodiscard]] double coverage() const;
};

/// Rows of the calls whose work is known. By kernel, a call's work is shared among its kernels in
/// proportion to their time.
[[nodiscard]] Roofline makeRoofline(const trace::Trace& trace, const LaunchedCalls& calls,
                                    RooflineBy by);

}  // namespace kinetoscope::model
