// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinetoscope::capture {

struct HeaderFields {
    std::string program;  ///< empty: this process's, as is the command; a launcher's rank is told
    std::string command;
    int level = 0;
    std::uint32_t cuptiVersion = 0;
    std::string cuptiPath;
    int driverVersion = 0;
    std::uint64_t monotonicNs = 0;
    std::uint64_t realtimeNs = 0;
};

/// Reads the two clocks in one go.
void readClocks(HeaderFields& fields);

/// JSON of the chunks that are text.
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

}  // namespace kinetoscope::capture
