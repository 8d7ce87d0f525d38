// SPDX-License-Identifier: Apache-2.0
#include "core/trace/ColumnMemory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

namespace kinetoscope::trace {

namespace {

// From here on the size of a column is estimated; before, doubling it costs nothing.
constexpr std::size_t kEstimateFrom = 8 * 1024;
constexpr std::size_t kHugePage = 2 * 1024 * 1024;

}  // namespace

void preferHugePages(void* begin, std::size_t bytes) {
    if (bytes < kHugePage) {
        return;
    }
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::align(page, page, begin, bytes);
    // Advice: where the system does not take it, nothing is lost.
    static_cast<void>(::madvise(begin, bytes / page * page, MADV_HUGEPAGE));
}

std::size_t roomFor(std::size_t rows, std::size_t more, double fraction) {
    if (rows < kEstimateFrom || fraction <= 0.0) {
        return std::max<std::size_t>({2 * rows, 64, rows + more});
    }
    // A little more: moving all rows once again costs more than room that stays empty.
    const double whole = static_cast<double>(rows) / std::min(fraction, 1.0);
    return std::max({static_cast<std::size_t>(whole * 1.08) + 1024, rows + rows / 2, rows + more});
}

}  // namespace kinetoscope::trace
