// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/base/Threads.h"

namespace kinetoscope::ranks::parts {

/// Calls `work` with each number below `count`, on all cores.
template <class Work>
void forEachOnThreads(std::size_t count, const Work& work) {
    std::atomic<std::size_t> next = 0;
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    runOnThreads(static_cast<unsigned>(std::min(cores, count)), [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            work(i);
        }
    });
}

}  // namespace kinetoscope::ranks::parts
