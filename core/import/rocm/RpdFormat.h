// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/database/DatabaseFormat.h"

namespace kinetoscope::import::rocm {

/// What rocmProfileData (runTracer.sh, rpdTracerControl) writes: `.rpd`, schemas 1 and 2.
class RpdFormat final : public database::DatabaseFormat {
public:
    [[nodiscard]] std::string_view name() const override { return "rocmProfileData (.rpd)"; }
    [[nodiscard]] bool recognises(const database::Schema& schema) const override;
    [[nodiscard]] Result<Plan> plan(const sqlite::Database& database,
                                    const database::Schema& schema, trace::RunInfo& info,
                                    trace::ImportLog& log) const override;
};

}  // namespace kinetoscope::import::rocm
