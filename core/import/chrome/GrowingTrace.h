// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

#include "core/import/LoadOptions.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::chrome {

/// A trace while it is being read: knows how far the load is, and shows what is there from time to
/// time.
class GrowingTrace {
public:
    /// `snapshot` may add to the copy what the builder does not have.
    GrowingTrace(trace::TraceBuilder& builder, const LoadOptions& options, std::uint64_t fileBytes)
        : m_builder(builder), m_options(options), m_fileBytes(fileBytes) {}

    /// To be called between events, after every few megabytes, with the bytes of the file that
    /// have been read.
    void advance(std::uint64_t filePosition);

private:
    using Clock = std::chrono::steady_clock;

    trace::TraceBuilder& m_builder;
    const LoadOptions& m_options;
    std::uint64_t m_fileBytes;
    Clock::time_point m_begin = Clock::now();
    bool m_shown = false;
    Clock::duration m_next = std::chrono::milliseconds(60);
};

}  // namespace kinetoscope::import::chrome
