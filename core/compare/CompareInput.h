// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/results/ResultStore.h"
#include "core/compare/Comparison.h"
#include "core/compare/MeasuredResult.h"
#include "core/compare/SelfCheck.h"
#include "core/import/load/LoadTrace.h"

namespace kinetoscope::compare {

/// What can be compared: two of one kind.
using CompareInput = std::variant<ComparedRun, MeasuredResult>;

/// Whether the file is a result of a bench, judged by its start.
[[nodiscard]] bool isResultFile(const std::string& path);

/// A trace, or a result of a bench: its file or the name under which it is saved; several of them
/// with commas in between are runs of one bench, pooled.
[[nodiscard]] Result<CompareInput> loadCompareInput(const std::string& path,
                                                    const import::LoadOptions& options = {});

/// Fails if the run, of the file `path`, has none: a gate would pass that has checked nothing.
[[nodiscard]] Result<void> requireKernels(const ComparedRun& run, const std::string& path);

/// The text of a result and its id: its path, or the name under which it is saved.
struct ResultText {
    std::string id;
    std::string text;
};
/// Of a file or of a saved result; nothing where the path is neither.
[[nodiscard]] Result<std::optional<ResultText>> findResult(const std::string& path);

/// A saved result of any bench, by its name. Fails in one line.
[[nodiscard]] Result<MeasuredResult> loadMeasuredResult(const bench::results::ResultStore& store,
                                                        const std::string& id);

/// Fails if they are of different kinds: a trace and a result, or results of different benches.
/// Results are compared with their own tolerance whatever the options say.
[[nodiscard]] Result<Comparison> compareInputs(const Baseline<const CompareInput*>& base,
                                               const Candidate<const CompareInput*>& candidate,
                                               const CompareOptions& options);

struct SelfChecks {
    std::vector<SelfCheck> checks;
    std::vector<std::string> skipped;  ///< a line for each two runs that are not of one program
};

/// The halves of each run, and each run with the one before it. Fails when an input is not a trace.
[[nodiscard]] Result<SelfChecks> checkInputs(std::span<const CompareInput> inputs,
                                             const CompareOptions& options);

}  // namespace kinetoscope::compare
