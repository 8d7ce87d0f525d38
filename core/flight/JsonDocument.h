// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/Result.h"
#include "core/pickle/Document.h"

namespace kinetoscope::flight {

/// A JSON text as the document that a pickle of the same data gives. Errors are words that follow a
/// name, as those of json::parseJson().
[[nodiscard]] Result<pickle::Document> readJsonDocument(std::string_view text);

}  // namespace kinetoscope::flight
