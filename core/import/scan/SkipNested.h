// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/scan/JsonScan.h"

namespace kinetoscope::import::scan {

/// Skips the object (Open '{') or array (Open '[') that begins at `at`, counting brackets of its
/// own kind outside of strings. Stops at a control character in a string, at a bare word that is
/// no JSON, and at `end`: damage shows within a few bytes instead of swallowing what follows.
template <char Open>
[[nodiscard]] Skipped skipNested(const char* at, const char* end, JsonText& flags);

template <>
Skipped skipNested<'{'>(const char* at, const char* end, JsonText& flags);
template <>
Skipped skipNested<'['>(const char* at, const char* end, JsonText& flags);

}  // namespace kinetoscope::import::scan
