// SPDX-License-Identifier: Apache-2.0
// The part of Session that follows the program's ranges.
#include <algorithm>
#include <array>

#include "core/capture/inject/Session.h"

namespace kinetoscope::capture::inject {

namespace {

constexpr std::size_t kMaxDepth = 128;

// The open ranges of a domain.
struct RangeStack {
    std::array<std::uint64_t, kMaxDepth> ids;  // 0: started while nothing was recorded
    std::array<bool, kMaxDepth> chosen;
    const void* domain = nullptr;
    std::size_t depth = 0;
};
// Of so many domains a thread's ranges are followed at a time; what it opens in more is left out.
constexpr std::size_t kMaxDomains = 8;
thread_local std::array<RangeStack, kMaxDomains> ranges;

// Null where there is none; an empty one belongs to nobody.
RangeStack* stackOf(const void* domain) {
    const auto found = std::ranges::find_if(ranges, [domain](const RangeStack& stack) {
        return stack.depth > 0 && stack.domain == domain;
    });
    return found == ranges.end() ? nullptr : &*found;
}

RangeStack* makeStack(const void* domain) {
    const auto found = std::ranges::find(ranges, std::size_t{0}, &RangeStack::depth);
    if (found == ranges.end()) {
        return nullptr;
    }
    found->domain = domain;
    return &*found;
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
    RangeStack* const open = stackOf(domain);
    RangeStack* const used = open != nullptr ? open : makeStack(domain);
    if (used == nullptr) {
        return -1;
    }
    RangeStack& stack = *used;
    const std::size_t depth = stack.depth++;
    if (depth >= kMaxDepth) {
        return static_cast<int>(depth);
    }
    stack.chosen[depth] = rangeChosen(name);
    if (stack.chosen[depth] && m_chosenRanges++ == 0) {
        resume();
    }
    stack.ids[depth] = wantsRanges() ? m_ranges.start(name) : 0;
    if (stack.ids[depth] != 0 && m_options.level >= kAllRuntimeFrom) {
        m_cupti.pushExternalId(cupti::kExternalKindRange, stack.ids[depth]);
    }
    return static_cast<int>(depth);
}

int Session::popRange(const void* domain) {
    RangeStack* const open = stackOf(domain);
    if (open == nullptr) {
        return -1;
    }
    RangeStack& stack = *open;
    const std::size_t depth = --stack.depth;
    if (depth >= kMaxDepth) {
        return static_cast<int>(depth);
    }
    if (stack.ids[depth] != 0 && m_state == State::Ready) {
        m_ranges.end(stack.ids[depth]);
        if (m_options.level >= kAllRuntimeFrom) {
            popExternal(m_cupti, stack.ids[depth]);
        }
    }
    if (stack.chosen[depth] && --m_chosenRanges == 0) {
        pause();
    }
    return static_cast<int>(depth);
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
