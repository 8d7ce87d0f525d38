// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/Time.h"

namespace kinetoscope::text {

/// "1.250 ms": the unit (ns, µs, ms, s) that leaves one to three digits before the point.
[[nodiscard]] std::string formatDuration(TimeNs ns);

/// "12.4 MiB".
[[nodiscard]] std::string formatBytes(std::uint64_t bytes);

/// A counter's value: "1.24 GiB" where it counts bytes, else "12,345.5".
[[nodiscard]] std::string formatQuantity(double value, bool isBytes);

/// Thousands separated by commas: "3,300,000".
[[nodiscard]] std::string formatCount(std::int64_t count);

/// "21.70 %"; "–" when the whole is not positive.
[[nodiscard]] std::string formatPercent(double part, double whole);

/// Letters of ASCII in lower case, everything else as it is.
[[nodiscard]] std::string lowered(std::string_view text);

/// Kernel name without return type, template arguments, parameters and namespaces:
/// "void at::native::foo<int>(int*)" gives "foo". Names that are not C++ stay as they are.
[[nodiscard]] std::string shortKernelName(std::string_view name);

}  // namespace kinetoscope::text
