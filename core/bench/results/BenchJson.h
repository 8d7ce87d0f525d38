// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/bench/results/BenchResult.h"

namespace kinetoscope::bench::results {

/// One kernel as a JSON object on one line, every sample in it.
[[nodiscard]] std::string kernelResultJson(const KernelResult& kernel);
[[nodiscard]] Result<KernelResult> parseKernelResult(std::string_view json);

[[nodiscard]] std::string gpuJson(const GpuDescription& gpu);
[[nodiscard]] Result<GpuDescription> parseGpu(std::string_view json);

/// A document "kinetoscope.result/1".
[[nodiscard]] std::string benchDocumentJson(const BenchDocument& document);
/// Fails in one line on anything else.
[[nodiscard]] Result<BenchDocument> parseBenchDocument(std::string_view json);

}  // namespace kinetoscope::bench::results
