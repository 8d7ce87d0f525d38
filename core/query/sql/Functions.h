// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/base/Result.h"

struct sqlite3;

namespace kinetoscope::query::sql {

class Material;

/// A function that questions can call beside SQLite's own.
struct FunctionInfo {
    std::string_view name;
    std::string_view call;  ///< "overlaps(start, end, from, to)"
    std::string_view about;
};
[[nodiscard]] std::span<const FunctionInfo> allFunctions();

/// `material` outlives the connection.
[[nodiscard]] Result<void> addFunctions(sqlite3* database, Material& material);

}  // namespace kinetoscope::query::sql
