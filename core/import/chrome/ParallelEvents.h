// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/import/Importer.h"
#include "core/import/chrome/EventUnit.h"
#include "core/import/chrome/GrowingTrace.h"

namespace kinetoscope::import::chrome {

/// Where the events of a text go.
struct EventTarget {
    trace::TraceBuilder& builder;
    trace::IssueCounter& issues;
    event::EventAssembler& assembler;
};

/// How a text is divided among threads.
struct UnitPlan {
    /// Nothing where one thread does it as well: one processor, little text, or a text that only
    /// one thread can read. `begin` is a place behind the first byte of the text.
    [[nodiscard]] static std::optional<UnitPlan> of(const ImportInput& input, std::uint64_t begin);

    std::uint64_t begin = 0;
    std::uint64_t end = 0;  ///< nearly: reading goes on behind it, and text made ahead ends sooner
    std::uint64_t unitBytes = 0;
    unsigned threads = 1;
    std::size_t chunk = source::kTextChunk;

    [[nodiscard]] std::size_t units() const {
        return static_cast<std::size_t>((end - begin + unitBytes - 1) / unitBytes);
    }
    [[nodiscard]] std::uint64_t beginOf(std::size_t unit) const { return begin + unit * unitBytes; }
    [[nodiscard]] std::uint64_t endOf(std::size_t unit) const {
        return std::min(beginOf(unit) + unitBytes, end);
    }
};

/// Reads the elements of traceEvents with several threads. The text is cut into units wherever the
/// cuts fall; each is read from the first event that seems to begin in it. The calling thread
/// appends them in their order, and only those that begin exactly where everything before ended;
/// what lies between, and whatever is unusual, it reads itself. So the result is that of one thread
/// for any number of them and any cuts; a system that starts fewer threads only makes it slower.
class ParallelEvents {
public:
    ParallelEvents(source::TextWindow& window, EventArray& array, const EventTarget& target,
                   const UnitPlan& plan, GrowingTrace& growing, const std::stop_token& stop);
    ParallelEvents(const ParallelEvents&) = delete;
    ParallelEvents& operator=(const ParallelEvents&) = delete;
    ~ParallelEvents();

    /// EventArray::readUntil() without a limit.
    [[nodiscard]] EventArray::Reached read(const char*& at);

private:
    enum class State : std::uint8_t { Free, Reading, Done };
    // Two cache lines, which processors fetch together: threads write neighbouring slots all the
    // time, and a line that two of them write costs a tenth of the load.
    struct alignas(128) Slot {
        EventUnit unit;
        State state = State::Free;
    };

    void work() noexcept;
    void readUnits(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool canClaim() const;
    void readClaimed(UnitReader& reader, std::unique_lock<std::mutex>& lock);
    [[nodiscard]] EventUnit& finished(std::size_t index);
    void append(EventUnit& unit, const char*& at);
    void release(std::size_t index);
    [[nodiscard]] UnitReader newReader() const;
    [[nodiscard]] Slot& slotOf(std::size_t index) { return m_slots[index % m_slots.size()]; }

    // The mutex guards what stands with it in two lines, but not a unit that is being read.
    alignas(128) std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Slot> m_slots;  // a ring
    std::size_t m_next = 0;     // first unit that is not being read yet
    std::size_t m_released = 0;
    std::exception_ptr m_failure;  // of any thread

    source::TextWindow& m_window;
    EventArray& m_array;
    EventTarget m_target;
    UnitPlan m_plan;
    GrowingTrace& m_growing;
    std::stop_source m_stop;  // of the units; the caller's stop ends them too
    std::stop_callback<std::function<void()>> m_passOn;
    UnitReader m_reader;
    std::vector<std::jthread> m_threads;
};

}  // namespace kinetoscope::import::chrome
