// SPDX-License-Identifier: Apache-2.0
// What result documents and their streams are made of; for those who write or read JSON themselves.
#pragma once

#include "core/bench/results/JsonFields.h"
#include "core/bench/results/ResultDocument.h"

namespace kinetoscope::bench::results {

/// `group`: that of a runner, whose verdicts are over the first runner there; else null.
[[nodiscard]] fields::Json itemJson(const BenchItem& item, const BenchItem* group = nullptr);
[[nodiscard]] BenchItem readItem(const fields::Json& json);

/// The machine's part of the header: its GPU and PyTorch.
void writeDevice(const ResultHeader& header, fields::Json& json);
void readDevice(const fields::Json& json, ResultHeader& header);

[[nodiscard]] fields::Json documentJson(const ResultDocument& document);
/// `json` is an object, of any version. Fails when it is not a result document.
[[nodiscard]] Result<ResultDocument> readDocument(fields::Json json);

[[nodiscard]] Result<ResultKind> kindOf(const fields::Json& json);
/// The comparison with eager in a message of kscope-torch or a document; nothing if it has none.
[[nodiscard]] std::optional<Accuracy> readAccuracy(const fields::Json& json);
[[nodiscard]] std::optional<RunnerProfile> readProfile(const fields::Json& json);
[[nodiscard]] std::vector<LaunchedKernel> readKernels(const fields::Json& json);

/// Makes a document "kinetoscope.result/1" one of today.
void upgradeResult(ResultKind kind, fields::Json& json);

}  // namespace kinetoscope::bench::results
