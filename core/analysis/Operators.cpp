// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Operators.h"

#include <algorithm>
#include <future>
#include <tuple>
#include <utility>

#include "core/analysis/OperatorEvents.h"
#include "core/analysis/OperatorShapes.h"
#include "core/analysis/WindowScope.h"
#include "core/base/Threads.h"

namespace kinetoscope::analysis {

namespace {

constexpr std::string_view kStep = "ProfilerStep#";
constexpr std::string_view kAllSteps = "ProfilerStep*";

/// The rows, found by numbers: text is made once for each.
class RowMaker {
public:
    explicit RowMaker(const trace::Trace& trace) : m_trace(trace), m_isStep(trace.names().size()) {
        for (NameId name = 0; name < m_isStep.size(); ++name) {
            const std::string_view text = trace.text(name);
            m_isStep[name] = text.starts_with(kStep) || text == kAllSteps;
        }
    }

    /// The row of an event; events of one side come by start, the longer first.
    OperatorRow& rowOf(trace::SliceId slice, bool onGpu, std::uint32_t shapesId,
                       const std::string& shapes) {
        const trace::Category category = m_trace.category(slice);
        const bool annotation = category == trace::Category::UserAnnotation ||
                                category == trace::Category::GpuUserAnnotation;
        const NameId name = m_trace.nameId(slice);
        const std::uint64_t key = std::uint64_t{m_isStep[name] ? kStepName : name} << 32U |
                                  std::uint64_t{shapesId} << 2U | (onGpu ? 2U : 0U) |
                                  (annotation ? 1U : 0U);
        const std::uint32_t place = placeOf(key);
        if (place == m_made.size()) {
            OperatorRow row;
            row.name = m_isStep[name] ? kAllSteps : m_trace.text(name);
            row.shapes = shapes;
            row.onGpu = onGpu;
            row.annotation = annotation;
            row.first = slice;
            m_made.push_back(std::move(row));
        }
        return m_made[place];
    }

    /// As they first happened.
    [[nodiscard]] std::vector<OperatorRow> take() {
        std::ranges::sort(m_made, {}, [&](const OperatorRow& row) {
            return std::tuple(m_trace.start(row.first), -m_trace.end(row.first), row.first);
        });
        return std::move(m_made);
    }

private:
    static constexpr NameId kStepName = ~NameId{0};

    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t place = kFree;
    };
    static constexpr std::uint32_t kFree = ~std::uint32_t{0};

    // Of the key's row among those made; their number for a new one. Asked for each event.
    std::uint32_t placeOf(std::uint64_t key) {
        if (m_made.size() * 2 >= m_slots.size()) {
            std::vector<Slot> old(std::max<std::size_t>(m_slots.size() * 2, 1024));
            old.swap(m_slots);
            for (const Slot& slot : old) {
                if (slot.place != kFree) {
                    slotOf(slot.key) = slot;
                }
            }
        }
        Slot& slot = slotOf(key);
        if (slot.place == kFree) {
            slot = {key, static_cast<std::uint32_t>(m_made.size())};
        }
        return slot.place;
    }

    Slot& slotOf(std::uint64_t key) {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = (key * 0x9e3779b97f4a7c15ULL >> 32U) & mask;
        while (m_slots[at].place != kFree && m_slots[at].key != key) {
            at = (at + 1) & mask;
        }
        return m_slots[at];
    }

    const trace::Trace& m_trace;
    std::vector<bool> m_isStep;  ///< by name
    std::vector<Slot> m_slots;   ///< open addressing; a power of two
    std::vector<OperatorRow> m_made;
};

void addCall(const trace::Trace& trace, trace::SliceId slice, OperatorRow& row) {
    ++row.count;
    if (row.longest == trace::kNoSlice || trace.duration(slice) > trace.duration(row.longest)) {
        row.longest = slice;
    }
}

OperatorTable tableOf(const trace::Trace& trace, const WindowScope& scope,
                      const OperatorEvents& events, const OperatorShapes& shapes) {
    const ProfilerClock clock(trace);
    RowMaker rows(trace);
    for (const std::uint32_t number : events.cpuOrder) {
        const trace::SliceId slice = events.cpu[number];
        if (events.merged[number] || !scope.takes(trace.start(slice))) {
            continue;
        }
        const std::uint32_t id = shapes.idOf(number);
        OperatorRow& row = rows.rowOf(slice, false, id, shapes.text(id));
        const double us = clock.duration(slice);
        addCall(trace, slice, row);
        row.cpuUs += us;
        row.selfCpuUs += us - events.childCpuUs[number];
        row.selfGpuUs += events.kernelUs[number];
        row.gpuUs += events.gpuUs[number];
    }
    const std::string& noShapes = shapes.text(0);
    for (const trace::SliceId slice : events.gpu) {
        if (!scope.takes(trace.start(slice))) {
            continue;
        }
        OperatorRow& row = rows.rowOf(slice, true, 0, noShapes);
        addCall(trace, slice, row);
        row.selfGpuUs += clock.duration(slice);
        row.gpuUs += clock.duration(slice);
    }
    OperatorTable table;
    table.rows = rows.take();
    for (const OperatorRow& row : table.rows) {
        table.selfCpuUs += row.selfCpuUs;
        table.selfGpuUs += row.onGpu && !row.annotation ? row.selfGpuUs : 0.0;
    }
    std::ranges::stable_sort(table.rows, std::ranges::greater(), &OperatorRow::selfGpuUs);
    return table;
}

Result<OperatorTable> sumOperators(const trace::Trace& trace, const OperatorOptions& options) {
    const std::stop_token& stop = options.stop;
    const auto scope = resolveWindow(trace, options.window);
    if (!scope) {
        return tl::unexpected(scope.error());
    }
    OperatorEvents events = findOperatorEvents(trace);
    OperatorShapes shapes(trace, events.cpu);
    const auto readShapes = [&] {
        if (options.byShape) {
            shapes.work(stop);
        }
    };
    auto reading = std::async(kBeside, readShapes);
    nestOperators(trace, stop, events);
    readShapes();
    reading.get();
    if (const auto read = shapes.result(); !read) {
        return tl::unexpected(read.error());
    }
    throwIfStopped(stop);
    OperatorTable table = tableOf(trace, *scope, events, shapes);
    table.byShape = options.byShape;
    return table;
}

}  // namespace

Result<OperatorTable> makeOperatorTable(const trace::Trace& trace, const OperatorOptions& options) {
    return guarded([&] { return sumOperators(trace, options); });
}

}  // namespace kinetoscope::analysis
