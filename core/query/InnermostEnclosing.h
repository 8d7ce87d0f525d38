// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope {

/// A slice that can enclose others of the same key (a thread, say).
struct Encloser {
    std::uint32_t key = 0;
    SliceId slice = 0;
};

/// "Which encloser of `key` that encloses `inner` in time is the innermost?" for one `asker`.
struct EncloserQuery {
    std::uint32_t key = 0;
    SliceId inner = 0;
    GpuOpId asker = 0;
};

/// Writes the answer to `answers[asker]` for every query that has one: of the slices of that key
/// that begin no later and end no earlier than `inner`, the one that begins last, then the
/// shortest, then the last in the list. O(n log n) however the slices overlap; linear where both
/// lists are by key and then by start already. Sorts both.
void findInnermostEnclosing(const Trace& trace, std::span<Encloser> enclosers,
                            std::span<EncloserQuery> queries, std::vector<SliceId>& answers);

}  // namespace kinetoscope
