// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kinetoscope {

#if defined(__x86_64__)
[[gnu::target("avx")]] inline void zeroUpperHalves() {
    __builtin_ia32_vzeroupper();
}
#endif

/// A new thread inherits the vector registers of the one that made it. Where that left their upper
/// halves in use, as drawing does, every call into a libm with AVX costs compiled code its speed
/// (22 times on a Xeon). To be called first in threads that calculate.
inline void clearVectorState() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx") != 0) {
        zeroUpperHalves();
    }
#endif
}

}  // namespace kinetoscope
