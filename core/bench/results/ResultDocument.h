// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/base/Result.h"
#include "core/bench/results/KernelResult.h"
#include "core/bench/results/ModuleResult.h"
#include "core/bench/results/OperatorResult.h"

namespace kinetoscope::bench::results {

/// The result of a bench of any kind.
using ResultDocument = std::variant<KernelDocument, OperatorDocument, ModuleDocument>;

/// A document "kinetoscope.result/1".
[[nodiscard]] std::string resultJson(const KernelDocument& document);
[[nodiscard]] std::string resultJson(const OperatorDocument& document);
[[nodiscard]] std::string resultJson(const ModuleDocument& document);

/// Reads what resultJson() of this and of older versions wrote. Fails in one line on anything else.
[[nodiscard]] Result<ResultDocument> parseResult(std::string_view json);
/// The same of this kind only.
template <class Document>
[[nodiscard]] Result<Document> parseResultAs(std::string_view json);

}  // namespace kinetoscope::bench::results
