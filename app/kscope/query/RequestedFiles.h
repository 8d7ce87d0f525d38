// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/kscope/CommandWatch.h"
#include "core/query/sql/QueryDatabase.h"

namespace kinetoscope::app {

/// What questions are about.
struct RequestedFiles {
    std::vector<std::shared_ptr<const trace::Trace>> traces;
    std::vector<std::string> results;  ///< paths
};

/// Reads traces and folders of them; results of benches are recognised and stay as they are.
[[nodiscard]] Result<RequestedFiles> loadRequested(CommandWatch& watch,
                                                   const std::vector<std::string>& paths,
                                                   unsigned threads);

/// SQL over them.
[[nodiscard]] Result<std::unique_ptr<query::sql::QueryDatabase>> openRequested(
    CommandWatch& watch, RequestedFiles files);

}  // namespace kinetoscope::app
