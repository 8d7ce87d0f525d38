// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/RooflineRows.h"

namespace kinetoscope::model {

/// Rates that the calls behind one row of another table achieved.
struct Achieved {
    RooflineRow row;       ///< of the calls whose work is known; its count is 0 without any
    TimeNs missingNs = 0;  ///< time of the others
    Missing missing = Missing::Nothing;  ///< why most of that time is not known

    [[nodiscard]] bool isKnown() const { return row.count > 0; }
};

/// The work of kernels and operators, for additional columns of other tables.
class AchievedTable {
public:
    AchievedTable() = default;
    /// `measured`: see deviceRoof().
    AchievedTable(const trace::Trace& trace, const LaunchedCalls& calls,
                  std::span<const GpuRoof> measured = {});

    /// The roof that the figures are relative to, by GPU.
    [[nodiscard]] const std::vector<DeviceRoof>& roofs() const { return m_roofs; }
    /// Time of all kernels, and of those whose work is known.
    [[nodiscard]] TimeNs kernelNs() const { return m_kernelNs; }
    [[nodiscard]] TimeNs modelledNs() const { return m_modelledNs; }
    /// Of those of which only the bytes are.
    [[nodiscard]] TimeNs bytesOnlyNs() const { return m_bytesOnlyNs; }

    // Null for what launched nothing, or is not there.
    /// Launches of that kernel on one GPU. Kernels of one call share its work in proportion to
    /// their time.
    [[nodiscard]] const Achieved* ofKernel(std::string_view name, std::int32_t gpu) const;
    /// On all GPUs.
    [[nodiscard]] const Achieved* ofKernel(std::string_view name) const;
    /// Calls of an operator, by what each launched itself.
    [[nodiscard]] const Achieved* ofOperator(std::string_view name) const;
    /// Those of one list of shapes: "[[4096, 1024], []]".
    [[nodiscard]] const Achieved* ofOperator(std::string_view name, std::string_view shapes) const;

private:
    using ByName = std::map<std::string, Achieved, std::less<>>;

    std::vector<DeviceRoof> m_roofs;
    TimeNs m_kernelNs = 0;
    TimeNs m_modelledNs = 0;
    TimeNs m_bytesOnlyNs = 0;
    std::map<std::int32_t, ByName> m_kernelsOfGpu;
    ByName m_kernels;
    ByName m_operators;
    std::map<std::string, ByName, std::less<>> m_shapes;  ///< by operator
};

}  // namespace kinetoscope::model
