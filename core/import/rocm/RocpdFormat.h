// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/database/DatabaseFormat.h"

namespace kinetoscope::import::rocm {

/// What rocprofv3 of ROCm 7 writes by itself, and what `rocpd` joins: one set of tables for each
/// process, told apart by what stands behind their names.
class RocpdFormat final : public database::DatabaseFormat {
public:
    [[nodiscard]] std::string_view name() const override { return "rocpd (rocprofv3, ROCm 7)"; }
    [[nodiscard]] bool recognises(const database::Schema& schema) const override;
    [[nodiscard]] Result<Plan> plan(const sqlite::Database& database,
                                    const database::Schema& schema, trace::RunInfo& info,
                                    trace::ImportLog& log) const override;
};

}  // namespace kinetoscope::import::rocm
