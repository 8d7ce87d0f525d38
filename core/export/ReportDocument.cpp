// SPDX-License-Identifier: Apache-2.0
#include "core/export/ReportDocument.h"

#include <algorithm>

namespace kinetoscope {

std::span<const KernelRow> shownKernels(const ReportDocument& document) {
    const std::span<const KernelRow> all = document.report.kernels;
    return document.top == 0 ? all : all.first(std::min(document.top, all.size()));
}

}  // namespace kinetoscope
