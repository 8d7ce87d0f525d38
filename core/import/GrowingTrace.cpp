// SPDX-License-Identifier: Apache-2.0
#include "core/import/GrowingTrace.h"

namespace kinetoscope {

namespace {

// Behind this part of the file the whole trace is nearer than the time to draw a part of it.
constexpr double kNearlyAll = 0.75;

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
    if (elapsed >= m_next && fraction < kNearlyAll) {
        m_options.snapshot(m_builder.snapshot());
        // Each is a copy of everything: with doubled distances all of them together cost no more
        // than twice the last one.
        m_next = 2 * elapsed;
    }
}

}  // namespace kinetoscope
