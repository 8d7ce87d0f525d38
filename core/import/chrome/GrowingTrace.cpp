// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/GrowingTrace.h"

namespace kinetoscope::import::chrome {

namespace {

// A snapshot is copied and laid out while the load needs all cores, so that together they must be
// small beside the whole: each is three times as late as the one before, and none is made behind
// this part of the file. All of them hold less than a quarter of it. The first one may be later:
// small files are that far before it is due.
constexpr double kLastSnapshot = 0.15;
constexpr double kLastFirst = 0.4;
constexpr int kTimesAsLate = 3;

}  // namespace

void GrowingTrace::advance(std::uint64_t filePosition) {
    if (m_options.progress != nullptr) {
        m_options.progress->set(filePosition);
    }
    const double fraction =
        m_fileBytes == 0 ? 0.0
                         : static_cast<double>(filePosition) / static_cast<double>(m_fileBytes);
    m_builder.setFraction(fraction);
    if (!m_options.snapshot || m_builder.sliceCount() == 0) {
        return;
    }
    const Clock::duration elapsed = Clock::now() - m_begin;
    if (elapsed >= m_next && fraction < (m_shown ? kLastSnapshot : kLastFirst)) {
        m_options.snapshot(m_builder.snapshot());
        m_next = kTimesAsLate * elapsed;
        m_shown = true;
    }
}

}  // namespace kinetoscope::import::chrome
