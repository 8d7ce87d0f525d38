// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/stream/CapturePlacer.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope {

/// Reads the captures in a folder as one trace, processes beside each other in real time, also
/// while they are being written. Not thread safe.
class LiveCapture {
public:
    explicit LiveCapture(std::string folder);
    LiveCapture(const LiveCapture&) = delete;
    LiveCapture& operator=(const LiveCapture&) = delete;
    ~LiveCapture();

    /// Reads what came since the last call, new files included, up to some 64 MiB. Returns the
    /// bytes read.
    std::uint64_t poll(const std::stop_token& stop = {});
    [[nodiscard]] std::size_t captures() const { return m_parts.size(); }
    [[nodiscard]] std::size_t slices() const { return m_builder.sliceCount(); }

    /// Why no capture of the folder can be read; empty while one can.
    [[nodiscard]] std::string problem() const;

    /// All that was read so far, but ranges that are still open. Rows and names have the same
    /// numbers in every later snapshot.
    [[nodiscard]] std::shared_ptr<const Trace> snapshot();
    /// The same with open ranges and the import log. To be called once, when nobody writes any
    /// more and poll() has nothing left.
    [[nodiscard]] std::shared_ptr<const Trace> finish();

private:
    class Part;

    void findFiles();
    void describe();

    std::string m_folder;
    TraceBuilder m_builder;
    std::unique_ptr<CapturePlacer> m_placer;
    std::vector<std::unique_ptr<Part>> m_parts;
    std::string m_bytes;  // of one file, while they are read
};

/// The captures in a folder as one trace. Fails when there is none.
[[nodiscard]] Result<std::shared_ptr<const Trace>> loadRecording(const std::string& folder,
                                                                 const std::stop_token& stop = {},
                                                                 Progress* progress = nullptr);

}  // namespace kinetoscope
