// SPDX-License-Identifier: Apache-2.0
// What result documents and their streams are made of; for those who write or read JSON themselves.
#pragma once

#include "core/bench/results/JsonFields.h"
#include "core/bench/results/ResultDocument.h"

namespace kinetoscope::bench::results {

[[nodiscard]] fields::Json gpuJson(const GpuDescription& gpu);
[[nodiscard]] GpuDescription readGpu(const fields::Json& json);

[[nodiscard]] fields::Json kernelJson(const KernelResult& kernel);
[[nodiscard]] KernelResult readKernel(const fields::Json& json);

[[nodiscard]] fields::Json operatorJson(const OperatorDocument& document,
                                        const OperatorResult& result);
[[nodiscard]] OperatorResult readOperator(const fields::Json& json);
[[nodiscard]] fields::Json sampleJson(const OperatorSample& sample);
[[nodiscard]] OperatorSample readSample(const fields::Json& json);

/// Verdicts are over the first runner of the group.
[[nodiscard]] fields::Json runnerJson(const ModuleGroup& group, const ModuleResult& runner);
[[nodiscard]] ModuleResult readRunner(const fields::Json& json);

/// What the kinds have for themselves.
void writeBody(const KernelDocument& document, fields::Json& json);
void writeBody(const OperatorDocument& document, fields::Json& json);
void writeBody(const ModuleDocument& document, fields::Json& json);
void readBody(const fields::Json& json, KernelDocument& document);
void readBody(const fields::Json& json, OperatorDocument& document);
void readBody(const fields::Json& json, ModuleDocument& document);

/// What the header says of the machine: its GPU and PyTorch.
void writeDevice(const ResultHeader& header, fields::Json& json);
void writeDevice(const TorchHeader& header, fields::Json& json);
void readDevice(const fields::Json& json, ResultHeader& header);
void readDevice(const fields::Json& json, TorchHeader& header);

template <class Document>
[[nodiscard]] fields::Json documentJson(const Document& document);
/// `json` is an object. Fails on one of another kind.
template <class Document>
[[nodiscard]] Result<Document> readDocument(const fields::Json& json);

/// "kernels", "operators" or "modules". Fails when it is not a result document.
[[nodiscard]] Result<std::string> kindOf(const fields::Json& json);

}  // namespace kinetoscope::bench::results
