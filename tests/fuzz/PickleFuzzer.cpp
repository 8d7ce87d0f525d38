// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as a pickle. It is read or refused with words that name the place.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/pickle/ReadPickle.h"

using namespace kinetoscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto document =
        pickle::readPickle(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!document && !document.error().message.starts_with("is not a pickle")) {
        std::fprintf(stderr, "wrong: %s\n", document.error().message.c_str());
        std::abort();
    }
    return 0;
}
