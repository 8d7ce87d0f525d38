// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "core/import/capture/LiveCapture.h"
#include "core/stream/CaptureFolder.h"

namespace kinetoscope::import::capture {

Result<std::shared_ptr<const trace::Trace>> loadRecording(const std::string& folder,
                                                          const std::stop_token& stop,
                                                          Progress* progress) {
    std::uint64_t all = 0;
    for (const std::string& path : stream::capturesIn(folder)) {
        std::error_code error;
        const auto size = std::filesystem::file_size(path, error);
        all += error ? 0 : size;
    }
    if (progress != nullptr) {
        progress->start(all);
    }
    LiveCapture captures(folder, 0);
    std::uint64_t done = 0;
    while (const std::uint64_t got = captures.poll(stop)) {
        done += got;
        if (progress != nullptr) {
            progress->set(done);
        }
    }
    if (stop.stop_requested()) {
        return fail("loading was cancelled", ErrorKind::Cancelled);
    }
    if (auto problem = captures.problem(); !problem.empty()) {
        return fail(std::move(problem));
    }
    if (captures.captures() == 0) {
        return fail(
            fmt::format("'{}': is a directory without captures; give a trace file", folder));
    }
    return captures.finish();
}

}  // namespace kinetoscope::import::capture
