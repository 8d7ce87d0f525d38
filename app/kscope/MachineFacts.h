// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kinetoscope::app {

/// What a result document says of when and where: the time as UTC in ISO 8601, the machine's name,
/// its system.
void describeMachine(std::string& created, std::string& host, std::string& system);

/// The command line of this process.
[[nodiscard]] std::string typedCommand();

}  // namespace kinetoscope::app
