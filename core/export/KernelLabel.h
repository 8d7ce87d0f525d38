// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kinetoscope {

/// A C++ kernel's name without return type, parameters and namespaces but with its template
/// arguments, for tables in which the short name alone would be ambiguous:
/// "void at::native::fill<4, at::Half>(int)" gives "fill<4, Half>". Other names stay.
[[nodiscard]] std::string kernelLabel(std::string_view name);

}  // namespace kinetoscope
