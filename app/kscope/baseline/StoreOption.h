// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/baseline/BaselineStore.h"

namespace kinetoscope::app {

/// --store. `folder` is its own while it is parsed; empty: the default.
inline void declareStore(CLI::App& app, std::string& folder) {
    app.add_option("--store", folder,
                   "Folder of baselines (default: $KINETOSCOPE_STORE, else your own)")
        ->type_name("DIR");
}

[[nodiscard]] inline baseline::BaselineStore storeAt(const std::string& folder) {
    return baseline::BaselineStore(folder.empty() ? baseline::BaselineStore::defaultFolder()
                                                  : folder);
}

}  // namespace kinetoscope::app
