// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/ParallelEvents.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "core/base/Threads.h"

namespace kinetoscope::import::chrome {

namespace {

// Large enough that joining them costs little, small enough that all threads end together.
constexpr std::uint64_t kMinUnit = 1024 * 1024;
constexpr std::uint64_t kMaxUnit = 8 * 1024 * 1024;
constexpr std::uint64_t kUnitsOfThread = 24;
constexpr std::uint64_t kUnknownEnd = std::numeric_limits<std::uint64_t>::max() / 2;

}  // namespace

std::optional<UnitPlan> UnitPlan::of(const ImportInput& input, std::uint64_t begin) {
    const source::TextSource& source = input.text.source();
    const bool madeAhead = source.again() == nullptr;
    UnitPlan plan;
    plan.begin = begin;
    plan.end = madeAhead ? kUnknownEnd : input.fileBytes;
    plan.chunk = input.tuning.chunk;
    plan.threads = madeAhead ? readersAhead(input.options) : threadsOf(input.options);
    if (plan.threads < 2 || begin == 0 || begin >= plan.end || source.along() == nullptr) {
        return std::nullopt;
    }
    plan.unitBytes = input.tuning.unitBytes;
    if (plan.unitBytes == 0) {
        plan.unitBytes = madeAhead
                             ? input.tuning.aheadBlock
                             : std::clamp((plan.end - begin) / (kUnitsOfThread * plan.threads),
                                          kMinUnit, kMaxUnit);
    }
    plan.threads = static_cast<unsigned>(std::min<std::uint64_t>(plan.threads, plan.units()));
    return plan.threads < 2 ? std::nullopt : std::optional(plan);
}

ParallelEvents::ParallelEvents(source::TextWindow& window, EventArray& array,
                               const EventTarget& target, const UnitPlan& plan,
                               GrowingTrace& growing, const std::stop_token& stop)
    // Each thread may be one unit ahead of the one that is being appended.
    : m_slots(2 * std::size_t{plan.threads}),
      m_window(window),
      m_array(array),
      m_target(target),
      m_plan(plan),
      m_growing(growing),
      m_passOn(stop, [this] { m_stop.request_stop(); }),
      m_reader(newReader()) {
    m_threads.reserve(plan.threads);
    for (unsigned thread = 1; thread < plan.threads; ++thread) {
        auto started = tryThread([this] { work(); });
        if (!started) {
            break;
        }
        m_threads.push_back(std::move(*started));
    }
}

ParallelEvents::~ParallelEvents() {
    m_stop.request_stop();
    const std::scoped_lock lock(m_mutex);
    m_next = m_plan.units();
    m_changed.notify_all();
}

UnitReader ParallelEvents::newReader() const {
    return {m_window.source().along(), m_plan.chunk, m_stop.get_token()};
}

// With the mutex held: whether a unit is left and has a free slot.
bool ParallelEvents::canClaim() const {
    return m_next < m_plan.units() && m_next < m_released + m_slots.size();
}

void ParallelEvents::work() noexcept {
    std::unique_lock lock(m_mutex);
    try {
        readUnits(lock);
    } catch (...) {
        // Thrown on by the thread that waits for the units.
        if (!lock.owns_lock()) {
            lock.lock();
        }
        m_failure = std::current_exception();
        m_changed.notify_all();
    }
}

void ParallelEvents::readUnits(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    UnitReader reader = newReader();
    lock.lock();
    for (;;) {
        m_changed.wait(lock, [this] { return canClaim() || m_next >= m_plan.units(); });
        if (m_next >= m_plan.units()) {
            return;
        }
        readClaimed(reader, lock);
    }
}

// Takes the next unit and reads it without the lock.
void ParallelEvents::readClaimed(UnitReader& reader, std::unique_lock<std::mutex>& lock) {
    const std::size_t index = m_next++;
    Slot& slot = slotOf(index);
    slot.state = State::Reading;
    lock.unlock();
    reader.read(slot.unit, m_plan.beginOf(index), m_plan.endOf(index));
    lock.lock();
    slot.state = State::Done;
    m_changed.notify_all();
}

// The unit, read to its end; helps with the reading while it waits.
EventUnit& ParallelEvents::finished(std::size_t index) {
    Slot& slot = slotOf(index);
    std::unique_lock lock(m_mutex);
    while (slot.state != State::Done) {
        if (m_failure) {
            std::rethrow_exception(m_failure);
        }
        if (canClaim()) {
            readClaimed(m_reader, lock);
        } else {
            m_changed.wait(lock);
        }
    }
    return slot.unit;
}

void ParallelEvents::release(std::size_t index) {
    const std::scoped_lock lock(m_mutex);
    slotOf(index).state = State::Free;
    ++m_released;
    m_changed.notify_all();
}

EventArray::Reached ParallelEvents::read(const char*& at) {
    for (std::size_t index = 0; index < m_plan.units() && !m_window.stopped(); ++index) {
        EventUnit& unit = finished(index);
        // Most units begin where the one before ended: nothing is left to be read in between.
        const std::uint64_t until = unit.elements > 0 ? unit.begin : m_plan.endOf(index);
        if (m_window.offsetOf(at) != until) {
            const auto reached = m_array.readUntil(at, until);
            if (reached != EventArray::Reached::Limit) {
                return reached;
            }
        }
        append(unit, at);
        release(index);
    }
    return m_array.readUntil(at, std::numeric_limits<std::uint64_t>::max());
}

// Adds the unit if it is what comes next, and moves behind it.
void ParallelEvents::append(EventUnit& unit, const char*& at) {
    if (m_window.offsetOf(at) != unit.begin || !m_array.readsCleanlyAt(unit.begin) ||
        !m_target.builder.canAppend(unit.builder)) {
        return;
    }
    const trace::AppendedPart rows = m_target.builder.append(unit.builder);
    m_target.issues.add(unit.issues);
    m_target.assembler.append(unit.assembler, rows);
    m_array.skipTo(unit.end, unit.elements);
    at = m_window.seek(unit.end.offset);
    m_growing.advance(m_window.source().filePosition());
}

}  // namespace kinetoscope::import::chrome
