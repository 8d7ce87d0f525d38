// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <future>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/base/Result.h"

namespace kinetoscope {

/// For std::async: on a thread of its own, or, where the system starts no more threads (limits of a
/// container, of memory), by whoever asks for the result.
inline constexpr std::launch kBeside = std::launch::async | std::launch::deferred;

/// Starts a thread; nothing where the system has no room for one. `work` must let no exception out.
template <class Work>
[[nodiscard]] std::optional<std::jthread> tryThread(Work&& work) {
    try {
        return std::jthread(std::forward<Work>(work));
    } catch (const std::system_error&) {
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

/// Calls `work` on the calling thread and on up to `threads` - 1 others, as many as the system
/// starts, and returns when all have ended. An exception of one of them is thrown on.
void runOnThreads(unsigned threads, const std::function<void()>& work);

/// Thrown where a stop was asked for, so that long work ends from any depth; guarded() turns it
/// into ErrorKind::Cancelled.
struct Stopped {};

inline void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        throw Stopped{};
    }
}

/// That there is too little memory, for the file at `path` if there is one.
[[nodiscard]] Error outOfMemory(const std::string& path);

/// What `work`, a function that returns a Result, gives; its exceptions, lack of memory most of
/// all, as errors of ErrorKind::Output. Around every function of core that is called from outside
/// and can throw. `path`: the file that the work is about, for the message.
template <class Work>
[[nodiscard]] std::invoke_result_t<Work> guarded(Work&& work, const std::string& path = {}) {
    try {
        return std::forward<Work>(work)();
    } catch (const Stopped&) {
        return fail("cancelled", ErrorKind::Cancelled);
    } catch (const std::bad_alloc&) {
        return tl::unexpected(outOfMemory(path));
    } catch (const std::exception& error) {
        return fail(error.what(), ErrorKind::Output);
    }
}

}  // namespace kinetoscope
