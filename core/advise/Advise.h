// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stop_token>

#include "core/advise/Finding.h"
#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::advise {

struct AdviceOptions {
    const path::Graph* graph = nullptr;  ///< of this trace alone; null: it is made here
    std::stop_token stop = {};
    Progress* progress = nullptr;  ///< receives the number of finished rules
};

/// Every rule, in the order in which they look.
[[nodiscard]] std::span<const RuleFacts> rules();

/// Findings of all rules for a trace, each with the steps replayed without its cause. Savings are
/// upper bounds and overlap: see combine(). Fails when the file has changed since it was read, and
/// when stopped.
[[nodiscard]] Result<Advice> findAdvice(const trace::Trace& trace,
                                        const AdviceOptions& options = {});

/// The combined saving of several findings, replayed together: never their sum. `graph` is the one
/// they were found with, or one made from the same trace. Fails when stopped, and whenever
/// path::windowsOf() does.
[[nodiscard]] Result<Saving> combine(const path::Graph& graph,
                                     std::span<const Finding* const> findings,
                                     const std::stop_token& stop = {});

}  // namespace kinetoscope::advise
