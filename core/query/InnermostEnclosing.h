// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// A slice that can enclose others of the same key (a thread, say).
struct Encloser {
    std::uint32_t key = 0;
    trace::SliceId slice = 0;
};

/// "Which encloser of `key` that encloses `inner` in time is the innermost?" for one `asker`.
struct EncloserQuery {
    std::uint32_t key = 0;
    trace::SliceId inner = 0;
    trace::GpuOpId asker = 0;
};

/// Writes the answer to `answers[asker]` for every query that has one: of the slices of that key
/// that begin no later and end no earlier than `inner`, the one that begins last, then the
/// shortest, then the last in the list. O(n log n) however the slices overlap; linear where both
/// lists are by key and then by start already. Sorts both.
void findInnermostEnclosing(const trace::Trace& trace, std::span<Encloser> enclosers,
                            std::span<EncloserQuery> queries, std::vector<trace::SliceId>& answers);

}  // namespace kinetoscope::query
