// SPDX-License-Identifier: Apache-2.0
// The part of Session that follows the program's ranges.
#include <algorithm>
#include <array>
#include <span>

#include "core/capture/inject/Session.h"

namespace kinetoscope::capture::inject {

namespace {

constexpr std::size_t kMaxDepth = 128;

// The open ranges of a thread in their order, whatever their domain. Small: the C library takes it
// from each thread's stack.
struct OpenRanges {
    std::array<std::uint64_t, kMaxDepth> ids;  // 0: started while nothing was recorded
    std::array<const void*, kMaxDepth> domains;
    std::array<bool, kMaxDepth> chosen;
    std::size_t count = 0;
    std::size_t deeper = 0;  // those that found no place here, the innermost of all
};
thread_local OpenRanges ranges;

int depthIn(const void* domain) {
    const auto open = std::span(ranges.domains).first(ranges.count);
    return static_cast<int>(std::ranges::count(open, domain));
}

// The place of the innermost one of a domain; `count` without one.
std::size_t innermostOf(const void* domain) {
    std::size_t place = ranges.count;
    while (place > 0 && ranges.domains[place - 1] != domain) {
        --place;
    }
    return place > 0 ? place - 1 : ranges.count;
}

void removeAt(std::size_t place) {
    --ranges.count;
    for (std::size_t i = place; i < ranges.count; ++i) {
        ranges.ids[i] = ranges.ids[i + 1];
        ranges.domains[i] = ranges.domains[i + 1];
        ranges.chosen[i] = ranges.chosen[i + 1];
    }
}

// CUPTI has one stack for all domains: what was pushed after the id goes back onto it.
void popExternal(const CuptiApi& cupti, std::uint64_t id) {
    std::array<std::uint64_t, kMaxDepth> later;
    std::size_t count = 0;
    std::uint64_t last = 0;
    while (count < later.size() &&
           cupti.popExternalId(cupti::kExternalKindRange, &last) == cupti::kSuccess && last != id) {
        later[count++] = last;
    }
    while (count > 0) {
        cupti.pushExternalId(cupti::kExternalKindRange, later[--count]);
    }
}

}  // namespace

bool Session::wantsRanges() const {
    return m_recording && (m_options.level >= kRangesFrom || !m_options.range.empty());
}

bool Session::rangeChosen(std::string_view name) const {
    return !m_options.range.empty() && name == m_options.range && m_delayOver;
}

int Session::pushRange(std::string_view name, const void* domain) {
    const int depth = depthIn(domain);
    if (ranges.count == kMaxDepth) {
        return depth + static_cast<int>(ranges.deeper++);
    }
    const std::size_t place = ranges.count++;
    ranges.domains[place] = domain;
    ranges.chosen[place] = rangeChosen(name);
    if (ranges.chosen[place] && m_chosenRanges++ == 0) {
        resume();
    }
    ranges.ids[place] = wantsRanges() ? m_ranges.start(name) : 0;
    if (ranges.ids[place] != 0 && m_options.level >= kAllRuntimeFrom) {
        m_cupti.pushExternalId(cupti::kExternalKindRange, ranges.ids[place]);
    }
    return depth;
}

int Session::popRange(const void* domain) {
    if (ranges.deeper > 0) {
        return depthIn(domain) + static_cast<int>(--ranges.deeper);
    }
    const std::size_t place = innermostOf(domain);
    if (place == ranges.count) {
        return -1;
    }
    const std::uint64_t id = ranges.ids[place];
    const bool wasChosen = ranges.chosen[place];
    removeAt(place);
    if (id != 0 && m_state == State::Ready) {
        m_ranges.end(id);
        if (m_options.level >= kAllRuntimeFrom) {
            popExternal(m_cupti, id);
        }
    }
    if (wasChosen && --m_chosenRanges == 0) {
        pause();
    }
    return depthIn(domain);
}

std::uint64_t Session::startRange(std::string_view name) {
    return wantsRanges() ? m_ranges.start(name) : 0;
}

void Session::endRange(std::uint64_t id) {
    if (id != 0 && m_state == State::Ready) {
        m_ranges.end(id);
    }
}

void Session::mark(std::string_view name) {
    if (wantsRanges()) {
        m_ranges.mark(name);
    }
}

}  // namespace kinetoscope::capture::inject
