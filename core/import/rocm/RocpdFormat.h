// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/database/DatabaseFormat.h"

namespace kinetoscope::import::rocm {

/// The databases that rocprofv3 of ROCm 7 writes, and that `rocpd` joins: one set of tables for
/// each process, distinguished by the suffix of their names.
class RocpdFormat final : public database::DatabaseFormat {
public:
    [[nodiscard]] std::string_view name() const override { return "rocpd (rocprofv3, ROCm 7)"; }
    [[nodiscard]] bool recognises(const database::Schema& schema) const override;
    [[nodiscard]] Result<Plan> plan(const sqlite::Database& database,
                                    const database::Schema& schema, trace::RunInfo& info,
                                    trace::ImportLog& log) const override;
};

}  // namespace kinetoscope::import::rocm
