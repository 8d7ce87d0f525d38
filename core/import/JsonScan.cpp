// SPDX-License-Identifier: Apache-2.0
#include "core/import/JsonScan.h"

#include "core/import/VectorKernels.h"

namespace kinetoscope::scan {

template <>
Skipped skipNested<'{'>(const char* at, const char* end, JsonText& flags) {
    return vectorKernels().skipObject(at, end, flags);
}

template <>
Skipped skipNested<'['>(const char* at, const char* end, JsonText& flags) {
    return vectorKernels().skipArray(at, end, flags);
}

}  // namespace kinetoscope::scan
