// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Time.h"
#include "core/stream/CaptureWriter.h"

namespace kinetoscope::capture::counters {

/// A capture of counters alone, beside those of the recorded processes. Safe to call from any
/// thread.
class CounterFile {
public:
    /// Of one series of one GPU.
    using Series = std::size_t;

    /// False when the system refuses.
    [[nodiscard]] bool create(const std::string& path, std::string_view header);
    void addDevice(std::string_view json);
    [[nodiscard]] Series addSeries(std::uint32_t device, std::string_view counter,
                                   std::string_view series);
    /// From `time` on (Unix time) the series has this value; one that it has already costs nothing.
    void add(Series series, TimeNs time, double value);
    void note(std::string_view name, std::string_view text, bool loss);
    /// Writes what was gathered.
    void flush();
    void finish();

    [[nodiscard]] const std::string& path() const { return m_writer.path(); }
    [[nodiscard]] std::uint64_t records() const { return m_records; }

private:
    struct Known {
        std::uint32_t device = 0;
        std::uint32_t name = 0;
        std::uint32_t series = 0;
        std::optional<double> last;
    };

    [[nodiscard]] std::uint32_t nameId(std::string_view text);
    void write();

    std::mutex m_mutex;
    stream::CaptureWriter m_writer;
    TimeNs m_offset = 0;  ///< of Unix time to the monotonic clock
    std::map<std::string, std::uint32_t, std::less<>> m_names;
    std::vector<Known> m_series;
    std::string m_newNames;
    std::string m_chunk;
    std::uint64_t m_records = 0;
};

}  // namespace kinetoscope::capture::counters
