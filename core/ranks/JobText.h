// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/ranks/Job.h"
#include "core/ranks/JobTables.h"
#include "core/text/TextTable.h"

namespace kinetoscope::ranks {

/// One answer as a sentence: who waited how long for whom, and why.
[[nodiscard]] std::string answerText(const Job& job, const Cause& cause);

/// The same of a pause of most ranks; empty without one.
[[nodiscard]] std::string pauseText(const JobStep& step);

/// A table below its title; on a terminal the first rows only, and a line that says so.
[[nodiscard]] std::string tableText(const PrintedTable& table, const text::TextStyle& style);
[[nodiscard]] std::string tableMarkdown(const PrintedTable& table);

/// The job for a terminal: answers first, then ranks, steps, collectives and clocks.
[[nodiscard]] std::string jobText(const Job& job, const text::TextStyle& style);
[[nodiscard]] std::string jobMarkdown(const Job& job);
/// A table of the ranks.
[[nodiscard]] std::string jobCsv(const Job& job);
/// Schema kinetoscope.ranks/1.
[[nodiscard]] std::string jobJson(const Job& job);

}  // namespace kinetoscope::ranks
