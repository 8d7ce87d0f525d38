// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinetoscope::capture::inject {

struct HeaderFields {
    int level = 0;
    std::uint32_t cuptiVersion = 0;
    std::string cuptiPath;
    int driverVersion = 0;
    std::uint64_t monotonicNs = 0;
    std::uint64_t realtimeNs = 0;
};

/// JSON of the chunks that are text, about this process.
[[nodiscard]] std::string headerText(const HeaderFields& fields);
[[nodiscard]] std::string noteText(std::string_view name, std::string_view text,
                                   std::uint64_t count, bool loss);
[[nodiscard]] std::string footerText(std::uint64_t records, std::uint64_t buffers);

/// "python3.1234.rank0.59031.kscope": program, pid, rank where there is one, start.
[[nodiscard]] std::string captureFileName(std::uint64_t startedNs);
/// "python3 (process 1234)".
[[nodiscard]] std::string processText();
/// "torch.profiler (libtorch_cpu.so)"; "another library" for an empty path.
[[nodiscard]] std::string libraryText(std::string_view path);

}  // namespace kinetoscope::capture::inject
