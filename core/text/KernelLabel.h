// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinetoscope::text {

/// A C++ kernel's name without return type, parameters and namespaces but with its template
/// arguments, for tables in which the short name alone would be ambiguous:
/// "void at::native::fill<4, at::Half>(int)" gives "fill<4, Half>". Other names stay.
[[nodiscard]] std::string kernelLabel(std::string_view name);

/// `label` in at most `width` columns. One with template arguments loses the end of its name and of
/// its arguments, because kernels of one name differ at the start of these; others lose their
/// middle.
[[nodiscard]] std::string fitKernelLabel(std::string_view label, std::size_t width);

}  // namespace kinetoscope::text
