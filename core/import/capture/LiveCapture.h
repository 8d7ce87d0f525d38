// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/stream/CallRanges.h"
#include "core/stream/CapturePlacer.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::capture {

/// The import issue of what LiveCapture::dropOlderHalf() has dropped.
inline constexpr std::string_view kDroppedEvents = "oldest_events_dropped";

/// Reads the captures in a folder as one trace, processes beside each other in real time, also
/// while they are being written. Not thread safe.
class LiveCapture {
public:
    /// Of the captures, the first `mostOpen` stay open, so that their events can be looked at
    /// wherever they are moved; the rest are opened whenever they are read.
    explicit LiveCapture(std::string folder, std::size_t mostOpen = kMaxOpen);
    LiveCapture(const LiveCapture&) = delete;
    LiveCapture& operator=(const LiveCapture&) = delete;
    ~LiveCapture();

    /// Reads what came since the last call, new files included, up to some 64 MiB. Returns the
    /// bytes read.
    std::uint64_t poll(const std::stop_token& stop = {});
    [[nodiscard]] std::size_t captures() const { return m_parts.size(); }
    /// Why nothing of any capture could be read, naming each; empty if something could, or if there
    /// is no capture.
    [[nodiscard]] std::string problem() const;
    [[nodiscard]] std::size_t slices() const { return m_builder.sliceCount(); }

    /// Drops what starts before the middle of all that was read, and what of that time is read
    /// later: slices get other ids then, and the import log counts what is missing. False if there
    /// is nothing before.
    bool dropOlderHalf();

    /// All that was read so far, but ranges that are still open. Rows and names have the same
    /// numbers in every later snapshot.
    [[nodiscard]] std::shared_ptr<const trace::Trace> snapshot();
    /// The same with open ranges and the import log. To be called once, when nothing is written any
    /// more and poll() has nothing left.
    [[nodiscard]] std::shared_ptr<const trace::Trace> finish();

private:
    class Part;

    static constexpr std::size_t kMaxOpen = 64;

    void findFiles();
    [[nodiscard]] std::vector<std::string> unreadable() const;
    void logUnreadable();
    void logDropped();
    [[nodiscard]] std::size_t processes() const;
    [[nodiscard]] std::shared_ptr<const stream::CallRanges> calls() const;
    void describe(const std::shared_ptr<const stream::CallRanges>& calls);

    std::string m_folder;
    std::string m_folderProblem;
    std::size_t m_mostOpen;
    std::unordered_set<std::string> m_known;         // paths of the parts
    std::map<std::string, std::string> m_notOpened;  // paths, and why not (yet)
    trace::TraceBuilder m_builder;
    std::unique_ptr<stream::CapturePlacer> m_placer;
    std::vector<std::unique_ptr<Part>> m_parts;
    TimeNs m_from = std::numeric_limits<TimeNs>::min();  // what starts earlier is dropped
    std::uint64_t m_loggedDropped = 0;
    std::string m_bytes;  // of one file, while they are read
};

/// The captures in a folder as one trace. Fails if there are none.
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> loadRecording(
    const std::string& folder, const std::stop_token& stop = {}, Progress* progress = nullptr);

}  // namespace kinetoscope::import::capture
