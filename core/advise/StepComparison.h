// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/advise/Material.h"
#include "core/query/Intervals.h"

namespace kinetoscope::advise {

/// Launches of one kernel in one step.
struct KernelSum {
    TimeNs ns = 0;
    std::uint64_t count = 0;
};

/// What a step has more of than the others.
struct KernelExcess {
    std::uint32_t name = 0;  ///< of KernelNames
    KernelSum here;
    KernelSum usual;

    [[nodiscard]] TimeNs ns() const { return here.ns - usual.ns; }
};

/// A step that is longer than the others, and why.
struct LongStep {
    std::size_t step = 0;
    TimeNs excessNs = 0;
    std::vector<KernelExcess> kernels;  ///< most time first
    std::vector<path::NodeId> pieces;   ///< of threads, the longest first

    [[nodiscard]] bool isExplained() const { return !kernels.empty() || !pieces.empty(); }
};

/// The steps of a trace beside each other: how long they are without the profiler's own work, which
/// has a rule of its own, and what they are made of.
class StepComparison {
public:
    explicit StepComparison(const Material& material);

    [[nodiscard]] TimeNs medianNs() const { return m_medianNs; }
    [[nodiscard]] TimeNs lengthOfStep(std::size_t step) const;
    [[nodiscard]] TimeNs lengthOfPiece(path::NodeId piece) const;
    /// What would be left of a piece if it took as long as the longest of the median step.
    [[nodiscard]] float usualShare(path::NodeId piece) const;
    /// The longest first.
    [[nodiscard]] std::vector<LongStep> longSteps() const;
    /// The launches of a kernel in the step, the longest first.
    [[nodiscard]] std::vector<trace::GpuOpId> launchesOf(std::size_t step,
                                                         std::uint32_t name) const;

private:
    void findPieces();
    void addOperations();
    [[nodiscard]] TimeNs leastExcess() const;
    [[nodiscard]] KernelSum usualOf(const std::map<std::size_t, KernelSum>& byStep) const;
    [[nodiscard]] std::vector<KernelExcess> excessKernels(std::size_t step) const;
    [[nodiscard]] std::vector<path::NodeId> longPieces(std::size_t step) const;

    const Material& m_material;
    query::CoveredTime m_overhead;
    std::vector<std::vector<path::NodeId>> m_pieces;  ///< by step, those that could be too long
    std::vector<std::vector<trace::GpuOpId>> m_operations;
    std::map<std::uint32_t, std::map<std::size_t, KernelSum>> m_sums;  ///< by name, by step
    TimeNs m_usualPiece = 0;
    TimeNs m_medianNs = 0;
};

}  // namespace kinetoscope::advise
