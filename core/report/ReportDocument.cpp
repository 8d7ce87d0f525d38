// SPDX-License-Identifier: Apache-2.0
#include "core/report/ReportDocument.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/base/Demangle.h"
#include "core/text/KernelLabel.h"

namespace kinetoscope::report {

std::span<const analysis::KernelRow> shownKernels(const ReportDocument& document) {
    const std::span<const analysis::KernelRow> all = document.report.kernels;
    return document.top == 0 ? all : all.first(std::min(document.top, all.size()));
}

const model::Achieved* achievedBy(const ReportDocument& document,
                                  const analysis::KernelRow& kernel) {
    return document.achieved
               ? document.achieved->ofKernel(document.trace->text(kernel.name), kernel.gpu)
               : nullptr;
}

std::vector<std::string> kernelNames(const ReportDocument& document, bool full) {
    std::unordered_map<std::string_view, std::set<NameId>> uses;
    for (const analysis::KernelRow& kernel : shownKernels(document)) {
        uses[kernel.shortName].insert(kernel.name);
    }
    std::vector<std::string> names;
    for (const analysis::KernelRow& kernel : shownKernels(document)) {
        const std::string_view name = document.trace->text(kernel.name);
        const bool shared = uses[kernel.shortName].size() > 1;
        names.push_back(full     ? demangledSignature(name)
                        : shared ? text::kernelLabel(name)
                                 : kernel.shortName);
    }
    return names;
}

}  // namespace kinetoscope::report
