// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kinetoscope {

/// Whether a name is one that a C++ compiler made for a linker ("_ZN5aiter4testEv").
[[nodiscard]] constexpr bool isMangled(std::string_view name) {
    return name.starts_with("_Z");
}

/// A mangled name as a person wrote it: "void aiter::test<float>(int)". Where that cannot be had,
/// or would be too long, it stays as it is, as every other name does. Time and length are bounded
/// whatever the name.
[[nodiscard]] std::string demangledSignature(std::string_view name);

/// The signature, or at least a mangled name's path: "ck::device::kernel_gemm<…>".
[[nodiscard]] std::string demangledName(std::string_view name);

}  // namespace kinetoscope
