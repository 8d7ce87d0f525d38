// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/results/ResultDocument.h"

namespace kinetoscope::compare {

using bench::results::ResultKind;

/// What the samples of a side are of, and so what their scatter means.
enum class Sampling : std::uint8_t {
    InTurn,        ///< one process, one place in memory, one after another
    MovedRepeats,  ///< repeats of one process, each at another place in memory
    Runs,          ///< one figure of each of several processes
};

/// Samples of one kernel, of one call of an operator by one implementation, or of one direction of
/// a module's runner.
struct MeasuredItem {
    std::string name;
    std::string key;                ///< distinguishes those of one name
    std::string op;                 ///< the operator; empty for kernels and modules
    std::vector<double> samplesNs;  ///< in their order, without throttled ones
    std::size_t runs = 0;           ///< all that were timed
    double timeNs = 0.0;            ///< the figure that stands for the samples
    double clockMhz = 0.0;          ///< 0: not known
    std::string reason;             ///< why it was not measured; else empty
    Sampling sampling = Sampling::InTurn;
    std::vector<double> clocksMhz{};  ///< of each sample; empty: not known

    [[nodiscard]] bool isMeasured() const { return reason.empty(); }
};

/// A result document of any bench, as far as another one can be compared with it.
struct MeasuredResult {
    ResultKind kind = ResultKind::Kernels;
    std::string id;
    std::string gpu;
    /// What times depend on besides: "methods" and "event-cold".
    std::vector<std::pair<std::string, std::string>> conditions;
    std::vector<MeasuredItem> items;
    std::size_t processes = 1;  ///< runs of the bench that are one result here
};

/// Of each kernel the configuration that an autotuning chose, else the fastest.
[[nodiscard]] MeasuredResult measured(const bench::results::ResultDocument& document);

/// Several runs of one bench, at least one, as one result: the samples of an item are the times of
/// the runs, so that what differs between processes is part of the evidence. Items that were
/// measured in fewer than `least` runs (0: in all) are not measured. Fails in one line on runs of
/// different benches, GPUs or conditions.
[[nodiscard]] Result<MeasuredResult> pooledResult(const std::vector<MeasuredResult>& runs,
                                                  std::size_t least = 0);

/// A document of any of the benches. Fails in one line on anything else.
[[nodiscard]] Result<MeasuredResult> parseMeasuredResult(std::string_view json);

}  // namespace kinetoscope::compare
