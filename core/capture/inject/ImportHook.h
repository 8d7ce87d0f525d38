// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kinetoscope::capture::inject {

/// Makes calls of the imported function `name` from every loaded library go to `replacement`,
/// except from the library that `replacement` is in. Where a library binds the name later, its
/// first call already comes here. `library`: only from those with that in their path. Returns the
/// number of places changed.
int hookImports(const char* name, void* replacement, const char* library = "");

/// Counts up whenever the process has loaded a library.
[[nodiscard]] unsigned long long loadedLibraryCount();

}  // namespace kinetoscope::capture::inject
