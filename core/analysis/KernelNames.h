// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

/// Properties that follow from the name of a GPU operation, computed once for each distinct name.
struct KernelNameFacts {
    NameId name = kEmptyName;
    std::string_view family;    ///< see KernelRules
    std::string_view category;  ///< see inductorCategory()
    bool isNccl = false;        ///< begins with "nccl", in any case
};

class KernelNames {
public:
    explicit KernelNames(const trace::Trace& trace);

    /// Number of distinct names of GPU operations.
    [[nodiscard]] std::size_t size() const { return m_facts.size(); }
    /// By the order in which the names first appear in the file.
    [[nodiscard]] const KernelNameFacts& facts(std::uint32_t number) const {
        return m_facts[number];
    }
    [[nodiscard]] std::uint32_t numberOf(trace::GpuOpId operation) const {
        return m_number[operation];
    }
    [[nodiscard]] const KernelNameFacts& of(trace::GpuOpId operation) const {
        return m_facts[m_number[operation]];
    }

private:
    std::vector<KernelNameFacts> m_facts;
    std::vector<std::uint32_t> m_number;  ///< by operation
};

/// A kernel of communication: by its name or because the file names its collective.
[[nodiscard]] bool isCommunication(const trace::Trace& trace, const KernelNames& names,
                                   trace::GpuOpId operation);

}  // namespace kinetoscope::analysis
