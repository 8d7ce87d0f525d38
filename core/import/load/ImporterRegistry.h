// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/import/Importer.h"

namespace kinetoscope::import {

/// The importer for a text with this start; null if none knows it.
[[nodiscard]] const Importer* importerFor(std::string_view head);

}  // namespace kinetoscope::import
