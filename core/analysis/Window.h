// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/base/Time.h"
#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

enum class WindowKind : std::uint8_t {
    Gpu,    ///< per GPU: first GPU operation's start to the last one's end
    Trace,  ///< first slice's start to the last slice's end
    Step,   ///< one step, see analysis/Steps
    Range,  ///< a selection
};

struct WindowChoice {
    WindowKind kind = WindowKind::Gpu;
    std::int64_t step = 0;
    TimeSpan range;  ///< nanoseconds since the trace's first slice

    friend bool operator==(const WindowChoice&, const WindowChoice&) = default;
};

/// "gpu", "trace", "step:N" or "START..END" since the first event, with the suffix ns, us, ms or
/// s (default us) and maybe a minus on either side.
[[nodiscard]] Result<WindowChoice> parseWindow(std::string_view text);

/// The text that parseWindow() makes this of, to the nanosecond; what lies before the first event
/// is left out.
[[nodiscard]] std::string windowText(const WindowChoice& choice);

/// The same in words, for headings.
[[nodiscard]] std::string describeWindow(const WindowChoice& choice);

}  // namespace kinetoscope::analysis
