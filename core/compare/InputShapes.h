// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::compare {

/// "Input Dims" of operators, without blanks: "[[16,128,768],[768],[]]".
using InputShapes = std::unordered_map<trace::SliceId, std::string>;

/// Reads them from the trace's file in one pass; the columns do not have them. Slices without
/// shapes are left out, and all are if the file cannot be read again. Fails with
/// ErrorKind::Cancelled when stopped, and if the file is no longer the one that was read.
[[nodiscard]] Result<InputShapes> readInputShapes(const trace::Trace& trace,
                                                  std::vector<trace::SliceId> slices,
                                                  const std::stop_token& stop = {});

/// How many elements each input has, ascending, each number once; scalars are left out.
[[nodiscard]] std::vector<std::uint64_t> elementCounts(std::string_view shapes);

}  // namespace kinetoscope::compare
