// SPDX-License-Identifier: Apache-2.0
// {fmt} as a static library, which Debian's package lacks: its headers hold all of the code.
#include <fmt/format-inl.h>

namespace fmt::detail {
template FMT_API dragonbox::decimal_fp<float> dragonbox::to_decimal(float number) noexcept;
template FMT_API dragonbox::decimal_fp<double> dragonbox::to_decimal(double number) noexcept;
template FMT_API thousands_sep_result<char> thousands_sep_impl(locale_ref locale);
template FMT_API std::locale locale_ref::get<std::locale>() const;
template FMT_API char decimal_point_impl(locale_ref locale);
}  // namespace fmt::detail
