// SPDX-License-Identifier: Apache-2.0
#include "core/import/LoadOptions.h"

#include <algorithm>
#include <thread>

namespace kinetoscope::import {

unsigned threadsOf(const LoadOptions& options) {
    return options.threads != 0 ? options.threads
                                : std::max(std::thread::hardware_concurrency(), 1U);
}

unsigned readersAhead(const LoadOptions& options) {
    // One thread decompresses about as fast as two read.
    constexpr unsigned kMax = 4;
    return std::min(threadsOf(options), kMax);
}

}  // namespace kinetoscope::import
