// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/kscope/setup/Outline.h"

namespace kinetoscope::app {

/// Scripts for three shells that complete commands, options and, where neither is meant, files.
[[nodiscard]] std::string bashCompletion(const Outline& all);
[[nodiscard]] std::string zshCompletion(const Outline& all);
[[nodiscard]] std::string fishCompletion(const Outline& all);

}  // namespace kinetoscope::app
