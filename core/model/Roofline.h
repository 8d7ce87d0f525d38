// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/RooflineRows.h"

namespace kinetoscope::model {

/// Kinds of rows of the roofline.
enum class RooflineBy : std::uint8_t { Operator, Shape, Kernel, Module };

/// GPU time whose work is not known, by what launched it and why.
struct UncoveredRow {
    std::string name;
    Missing missing = Missing::Row;
    std::uint64_t count = 0;
    TimeNs timeNs = 0;
    TimeNs kernelNs = 0;
};

inline constexpr std::uint32_t kNoRow = 0xffffffff;

struct Roofline {
    RooflineBy by = RooflineBy::Operator;
    std::vector<DeviceRoof> roofs;  ///< by GPU
    TimeNs kernelNs = 0;            ///< of all kernels
    TimeNs modelledNs = 0;          ///< of those whose work is known
    TimeNs bytesOnlyNs = 0;         ///< of those of which only the bytes are
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
/// proportion to their time. `measured`: see deviceRoof().
[[nodiscard]] Roofline makeRoofline(const trace::Trace& trace, const LaunchedCalls& calls,
                                    RooflineBy by, std::span<const GpuRoof> measured = {});

}  // namespace kinetoscope::model
