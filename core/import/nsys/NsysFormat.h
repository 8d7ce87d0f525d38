// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/database/DatabaseFormat.h"

namespace kinetoscope::import::nsys {

/// What `nsys export --type sqlite` writes, of 2020 to 2026.
class NsysFormat final : public database::DatabaseFormat {
public:
    [[nodiscard]] std::string_view name() const override {
        return "Nsight Systems (nsys export --type sqlite)";
    }
    [[nodiscard]] bool recognises(const database::Schema& schema) const override;
    [[nodiscard]] Result<Plan> plan(const sqlite::Database& database,
                                    const database::Schema& schema, trace::RunInfo& info,
                                    trace::ImportLog& log) const override;
};

}  // namespace kinetoscope::import::nsys
