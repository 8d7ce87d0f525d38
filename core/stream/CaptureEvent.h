// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/Time.h"
#include "core/stream/CaptureFormat.h"
#include "core/trace/Category.h"

namespace kinetoscope::stream {

/// "The event has no such id."
inline constexpr std::int64_t kNoCaptureId = -1;

/// A record of a capture as an event of a trace. Views are valid during the call that hands the
/// event over.
struct CaptureEvent {
    trace::Category category = trace::Category::None;
    std::string_view name;
    std::uint32_t nameId = 0;  ///< of the capture, 0 when the name is made from other fields
    std::int64_t pid = 0;
    std::int64_t tid = 0;
    TimeNs start = 0;  ///< relative to the trace's base
    TimeNs duration = 0;
    bool instant = false;
    bool isCounter = false;  ///< a sample of `series` of the counter `name`
    double value = 0.0;      ///< of the sample
    std::string_view series;
    bool startsFlow = false;  ///< an API call that can start GPU work
    bool endsFlow = false;    ///< GPU work
    std::int64_t correlation = kNoCaptureId;
    std::int64_t externalId = kNoCaptureId;
    std::int64_t stream = kNoCaptureId;
    int occupancyPercent = -1;  ///< kernels only; -1: not known
    format::RecordType type = format::RecordType::Kernel;
    std::string_view inputShapes;  ///< of an operator, as JSON; may be empty
    std::string_view record;       ///< its bytes, at least as many as the type has
    std::uint64_t offset = 0;      ///< of the record in the file
};

/// A process or a thread of it, announced before its first event.
struct CaptureRow {
    std::int64_t pid = 0;
    std::int64_t tid = 0;
    bool isProcess = false;  ///< tid means nothing then
    std::string name;
    std::string labels;  ///< "CPU" or "GPU 0"; processes only
    std::int64_t sortIndex = 0;
};

/// Takes what a CaptureDecoder reads, in the order of the file.
class CaptureSink {
public:
    CaptureSink() = default;
    CaptureSink(const CaptureSink&) = delete;
    CaptureSink& operator=(const CaptureSink&) = delete;
    virtual ~CaptureSink() = default;

    virtual void row(const CaptureRow& row) = 0;
    virtual void event(const CaptureEvent& event) = 0;
    /// A call of that correlation was made in the range; its work may have been told before.
    virtual void callRange(std::int64_t correlation, std::int64_t range) {
        (void)correlation, (void)range;
    }
};

/// Copies the fixed part of a record out of the file's bytes.
template <class Record>
[[nodiscard]] Record recordOf(std::string_view bytes) {
    Record record;
    bytes.copy(reinterpret_cast<char*>(&record), sizeof record);
    return record;
}

}  // namespace kinetoscope::stream
