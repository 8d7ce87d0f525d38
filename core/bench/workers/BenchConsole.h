// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kinetoscope::bench::workers {

/// Output of a bench while it runs; the calling program shows it.
class BenchConsole {
public:
    BenchConsole() = default;
    BenchConsole(const BenchConsole&) = delete;
    BenchConsole& operator=(const BenchConsole&) = delete;
    virtual ~BenchConsole() = default;

    /// Something that the person has to know.
    virtual void warn(const std::string& message) = 0;
    /// A line beside the result; printable() is the caller's.
    virtual void note(const std::string& line) = 0;
    /// The current activity, replacing the one before; empty: none.
    virtual void progress(const std::string& what) = 0;
    /// Text of the result, flushed.
    virtual void output(std::string_view text) = 0;

    /// One JSON object of a stream.
    void outputLine(const std::string& json) { output(json + "\n"); }
};

}  // namespace kinetoscope::bench::workers
