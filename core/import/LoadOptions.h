// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "core/base/Progress.h"
#include "core/import/source/TextWindow.h"
#include "core/trace/Trace.h"

namespace kinetoscope::import {

struct LoadOptions {
    std::stop_token stop;          ///< ends the load within 50 ms with ErrorKind::Cancelled
    Progress* progress = nullptr;  ///< bytes of the file on disk
    unsigned threads = 0;          ///< 0: as many as there are processors
    /// Called by the loading thread with what has been read so far, a few times in loads that take
    /// long: at growing distances, so that all copies together cost less than a tenth of the load.
    std::function<void(std::shared_ptr<const trace::Trace>)> snapshot = {};
    bool startsPrograms = true;  ///< false: refuses a file that only another program reads
};

/// Which readers take part. Tests compare them; the quick ones only save time.
enum class Readers : std::uint8_t { All, WithoutShapes, Tolerant };

/// How a text is read; nothing of it changes what is read.
struct ReadTuning {
    std::size_t chunk = source::kTextChunk;  ///< bytes of text read at a time
    std::uint64_t unitBytes = 0;  ///< of text that one thread reads at a time; 0: by the size
    Readers readers = Readers::All;
    std::uint64_t readAheadFrom = 128 * 1024;  ///< bytes of a file whose text comes from a thread
    std::size_t aheadBlock = 1024 * 1024;      ///< bytes of text that this thread makes at a time
};

/// The threads that a load may use: at least one.
[[nodiscard]] unsigned threadsOf(const LoadOptions& options);

/// Of these, the threads that read a text which another one makes ahead of them.
[[nodiscard]] unsigned readersAhead(const LoadOptions& options);

}  // namespace kinetoscope::import
