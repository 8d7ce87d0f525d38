// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/capture/inject/BoundedQueue.h"

namespace kinetoscope::capture::inject {

/// Something that the program marked, by NVTX or kinetoscope.h.
struct RangeEvent {
    enum class Type : std::uint32_t { Start, End, Mark };
    static constexpr std::size_t kNameBytes = 480;  // operators carry their shapes in it

    Type type = Type::Mark;
    std::uint32_t thread = 0;
    std::uint64_t time = 0;
    std::uint64_t id = 0;
    std::uint32_t nameSize = 0;
    std::array<char, kNameBytes> name{};  ///< longer names are cut

    [[nodiscard]] std::string_view text() const { return {name.data(), nameSize}; }
};

/// Carries marked ranges from the program's threads to ours, without locks; events that find the
/// queue full are dropped and counted.
class RangeQueue {
public:
    RangeQueue();

    /// None of them blocks. start() returns the id for end(), never 0.
    [[nodiscard]] std::uint64_t start(std::string_view name);
    void end(std::uint64_t id);
    void mark(std::string_view name);

    [[nodiscard]] bool next(RangeEvent& event);
    [[nodiscard]] std::uint64_t dropped() const { return m_dropped.load(); }

private:
    static constexpr std::size_t kEvents = 16384;
    using Queue = BoundedQueue<RangeEvent, kEvents>;

    void push(RangeEvent::Type type, std::uint64_t id, std::string_view name);

    std::unique_ptr<Queue> m_queue;
    std::atomic<std::uint64_t> m_nextId{1};
    std::atomic<std::uint64_t> m_dropped{0};
};

/// CLOCK_MONOTONIC in nanoseconds, the time of everything in a capture.
[[nodiscard]] std::uint64_t monotonicNow();
/// The system's number of the calling thread.
[[nodiscard]] std::uint32_t currentThread();

}  // namespace kinetoscope::capture::inject
