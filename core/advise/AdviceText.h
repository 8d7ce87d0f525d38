// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/advise/Finding.h"
#include "core/text/OutputFormat.h"
#include "core/text/TextTable.h"

namespace kinetoscope::advise {

/// The advice as text, Markdown or JSON (kinetoscope.advice/1); there is no CSV of it. `style` is
/// that of text. `most`: events of a finding that text has.
[[nodiscard]] std::string adviceOutput(const Advice& advice, text::OutputFormat format,
                                       const text::TextStyle& style, std::size_t most = 3);

/// What each rule looks for, for a terminal.
[[nodiscard]] std::string ruleList(const text::TextStyle& style);

}  // namespace kinetoscope::advise
