// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

/// The maker's peak figures of a GPU.
struct GpuRoof {
    std::string name;                ///< "H200 SXM"
    std::vector<std::string> match;  ///< what a device's name holds as whole words
    double memoryBytesPerSecond = 0.0;
    std::uint64_t cacheBytes = 0;     ///< of the last cache before memory
    double clockMhz = 0.0;            ///< at which the peaks hold
    std::string link;                 ///< to the GPUs of its machine, "NVLink 4"; mostly ""
    double linkBytesPerSecond = 0.0;  ///< each way, of all its links together; 0: unknown
    std::string note;                 ///< what else is to be known; mostly ""
    /// Operations a second by type: "fp16", "fp64_tensor".
    std::vector<std::pair<std::string, double>> peaks;
    /// Where each peak has a clock of its own: MHz by type.
    std::vector<std::pair<std::string, double>> peakClocksMhz;
    /// Where the figures come from, by their key in the file: "tflop_per_s"; "link" for the link.
    std::vector<std::pair<std::string, std::string>> sources;
    /// Public pages on which figures were found again; the others were not confirmed.
    std::vector<std::pair<std::string, std::string>> checked;

    /// 0 if unknown; of "fp64_tensor" that of "fp64" if products have none of their own.
    [[nodiscard]] double peak(std::string_view type) const;
};

/// The peak that bounds a call: "bf16"; "" if none is known for its type. `tensorCores`: the kernel
/// multiplied Float by tensor cores, as TensorFloat-32.
[[nodiscard]] std::string_view peakType(const Work& work, bool tensorCores);

/// All of resources/gpus.json.
class GpuTable {
public:
    [[nodiscard]] static Result<GpuTable> fromJson(std::string_view json);
    [[nodiscard]] static const GpuTable& builtin();

    [[nodiscard]] const std::vector<GpuRoof>& gpus() const { return m_gpus; }
    /// By a device's name, e.g. "NVIDIA H200". Null for one that is not known, and for a part of a
    /// GPU (MIG), which has only a part of its peaks.
    [[nodiscard]] const GpuRoof* find(std::string_view device) const;

private:
    std::vector<GpuRoof> m_gpus;
};

}  // namespace kinetoscope::model
