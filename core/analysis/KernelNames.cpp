// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/KernelNames.h"

#include <algorithm>

#include "core/analysis/KernelRules.h"

namespace kinetoscope::analysis {

namespace {

constexpr std::uint32_t kUnseen = 0xffffffff;

bool startsWithNccl(std::string_view name) {
    constexpr std::string_view kNccl = "nccl";
    // Bit 5 is all that separates an ASCII letter from its capital.
    return name.size() >= kNccl.size() &&
           std::equal(kNccl.begin(), kNccl.end(), name.begin(),
                      [](char wanted, char c) { return wanted == (c | 0x20); });
}

}  // namespace

KernelNames::KernelNames(const trace::Trace& trace) {
    std::vector<std::uint32_t> numberOfName(trace.names().size(), kUnseen);
    m_number.reserve(trace.gpuOperations().size());
    for (const trace::GpuOperation& operation : trace.gpuOperations()) {
        const NameId name = trace.nameId(operation.slice);
        std::uint32_t& number = numberOfName[name];
        if (number == kUnseen) {
            number = static_cast<std::uint32_t>(m_facts.size());
            const std::string_view text = trace.text(name);
            m_facts.push_back(
                {name, kernelFamily(text), inductorCategory(text), startsWithNccl(text)});
        }
        m_number.push_back(number);
    }
}

bool isCommunication(const trace::Trace& trace, const KernelNames& names,
                     trace::GpuOpId operation) {
    const trace::GpuOperation& row = trace.gpuOperations()[operation];
    return trace.category(row.slice) == trace::Category::Kernel &&
           (row.collective || names.of(operation).isNccl);
}

}  // namespace kinetoscope::analysis
