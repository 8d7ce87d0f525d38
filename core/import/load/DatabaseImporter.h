// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/Importer.h"

namespace kinetoscope::import {

/// SQLite databases of profilers, recognised by their tables.
class DatabaseImporter final : public Importer {
public:
    [[nodiscard]] bool recognises(std::string_view head) const override;
    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> read(
        ImportInput& input) const override;
};

}  // namespace kinetoscope::import
