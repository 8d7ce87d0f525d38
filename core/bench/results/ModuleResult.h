// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/results/KernelResult.h"

namespace kinetoscope::bench::results {

/// How far outputs and gradients of a runner lie from those of another one of its group.
struct ModuleAgreement {
    std::string with;
    double difference = 0.0;  ///< largest; of values beyond 1 relative to the largest of them
    bool same = true;         ///< below 1e-3
};

/// What a recording of a runner came to.
struct ModuleProfile {
    std::string trace;
    std::int64_t runs = 0;
    double wallMs = 0.0;  ///< of all runs, without the profiler
    /// Of the recorded runs, as torch._functorch's benchmark_utilization gives them; none without
    /// GPU work.
    std::optional<double> utilization;
    std::optional<double> mmConvUtilization;
};

/// One runner of a group, such as "jit_premul".
struct ModuleResult {
    std::string name;
    std::vector<double> forwardMs;   ///< of each loop
    std::vector<double> backwardMs;  ///< empty where there is nothing to train
    std::string note;
    std::string reason;  ///< why it was not run; else empty
    std::optional<ModuleAgreement> agreement;
    std::optional<ModuleProfile> profile;
};

struct ModuleGroup {
    std::string key;    ///< "lstm", "vl_lstm", "resnet" or "module", as its JSON has it
    std::string title;  ///< "LSTM"
    std::vector<ModuleResult> runners;
};

/// One run of the module bench. Times are milliseconds on every device.
struct ModuleDocument : TorchHeader {
    static constexpr const char* kKind = "modules";

    std::vector<std::string> notes;
    std::vector<ModuleGroup> groups;

    [[nodiscard]] std::size_t failures() const;  ///< runners that did not run
    [[nodiscard]] std::size_t disagreements() const;
};

/// FASTER, SLOWER, SAME or UNSURE by stats::decide() over the loops of both in their order. Empty
/// where nothing was measured.
[[nodiscard]] std::string moduleVerdict(const std::vector<double>& baselineMs,
                                        const std::vector<double>& runnerMs);
/// Of a runner's `times` over those of the first of its group; empty for that one.
[[nodiscard]] std::string moduleVerdict(const ModuleGroup& group, const ModuleResult& runner,
                                        std::vector<double> ModuleResult::*times);

/// What kscope-torch said of one runner, into `result`. `line` is its JSON object.
[[nodiscard]] Result<void> takeModuleLine(std::string_view line, ModuleResult& result);

}  // namespace kinetoscope::bench::results
