// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace kinetoscope::trace {

/// Asks the system for large pages where `bytes` from `begin` on will be written: touching fresh
/// memory in pages of 4 KiB takes a quarter of the time of a load.
void preferHugePages(void* begin, std::size_t bytes);

/// Makes room for `rows` rows, in large pages when there are many.
template <class T>
void reserveColumn(std::vector<T>& column, std::size_t rows) {
    if (rows <= column.capacity()) {
        return;
    }
    // The advice has to come before the first byte is written.
    std::vector<T> larger;
    larger.reserve(rows);
    preferHugePages(larger.data(), larger.capacity() * sizeof(T));
    larger.insert(larger.end(), column.begin(), column.end());
    column = std::move(larger);
}

/// How many rows to make room for when `more` come to `rows`, for which the `fraction` (0 to 1, 0:
/// not known) of the input has been read.
[[nodiscard]] std::size_t roomFor(std::size_t rows, std::size_t more, double fraction);

}  // namespace kinetoscope::trace
