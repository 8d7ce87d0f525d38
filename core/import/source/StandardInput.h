// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string_view>

#include "core/base/Result.h"

namespace kinetoscope::import::source {

/// The path that stands for standard input everywhere; a file of that name is "./-".
inline constexpr std::string_view kStandardInput = "-";

/// A descriptor from which all of standard input can be read at any place and again, by any thread;
/// it stays open. The first call reads the input to its end, later ones give the same. Fails on a
/// terminal, a closed input, when it cannot be stored, and with ErrorKind::Cancelled within 50 ms
/// of a stop.
[[nodiscard]] Result<int> standardInput(const std::stop_token& stop = {});

}  // namespace kinetoscope::import::source
