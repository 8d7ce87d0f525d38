// SPDX-License-Identifier: Apache-2.0
#include "core/base/Threads.h"

#include <mutex>
#include <vector>

namespace kinetoscope {

Error outOfMemory(const std::string& path) {
    return {
        (path.empty() ? "" : "'" + path + "': ") + "out of memory; close other files or programs",
        ErrorKind::Output};
}

void runOnThreads(unsigned threads, const std::function<void()>& work) {
    std::mutex mutex;
    std::exception_ptr failure;
    const auto guardedWork = [&] {
        try {
            work();
        } catch (...) {
            const std::scoped_lock lock(mutex);
            failure = failure ? failure : std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        others.reserve(threads);
        while (others.size() + 1 < threads) {
            auto other = tryThread(guardedWork);
            if (!other) {
                break;
            }
            others.push_back(std::move(*other));
        }
        guardedWork();
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace kinetoscope
