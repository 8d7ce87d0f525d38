// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope {

struct LoadOptions {
    std::stop_token stop;          ///< ends the load within 50 ms with ErrorKind::Cancelled
    Progress* progress = nullptr;  ///< bytes of the file on disk
    unsigned threads = 0;          ///< 0: as many as there are processors
    /// Called by the loading thread with what has been read so far, a few times in loads that take
    /// long: at growing distances, so that all copies together cost less than a tenth of the load.
    std::function<void(std::shared_ptr<const Trace>)> snapshot = {};
};

/// Reads any file that a registered importer knows, or standard input for the path "-". The one way
/// in for window, terminal and tests.
/// Fails when nothing of it can be read as a trace; what was merely odd is in Trace::log().
[[nodiscard]] Result<std::shared_ptr<const Trace>> loadTrace(const std::string& path,
                                                             const LoadOptions& options = {});

}  // namespace kinetoscope
