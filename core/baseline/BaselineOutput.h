// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/baseline/Entry.h"
#include "core/text/OutputFormat.h"
#include "core/text/TextTable.h"

namespace kinetoscope::baseline {

/// Of each baseline its latest entry, and how many it has; as text or JSON.
[[nodiscard]] std::string listOutput(const std::vector<Entry>& latest,
                                     const std::vector<std::size_t>& counts,
                                     text::OutputFormat format, const text::TextStyle& style);

/// All entries of one baseline with what is known of them; as text or JSON.
[[nodiscard]] std::string entriesOutput(const std::vector<Entry>& entries,
                                        text::OutputFormat format, const text::TextStyle& style);

/// "gpu NVIDIA H200, driver 580.1, SM clock 1980 MHz".
[[nodiscard]] std::string factsText(const Entry& entry);

}  // namespace kinetoscope::baseline
