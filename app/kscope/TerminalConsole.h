// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/workers/BenchConsole.h"

namespace kinetoscope::app {

/// A bench's messages on the standard streams; its progress only if standard error is a terminal.
class TerminalConsole final : public bench::workers::BenchConsole {
public:
    void warn(const std::string& message) override;
    void note(const std::string& line) override;
    void progress(const std::string& what) override;
    void output(std::string_view text) override;
};

}  // namespace kinetoscope::app
