// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/trace/EventText.h"

namespace kinetoscope::import::capture {

/// What is added to the offsets in a folder's file of that number, so that they ascend by file.
[[nodiscard]] std::uint64_t offsetBaseOfPart(std::size_t part);

/// The events of all files of a folder, whose texts are in the order of their numbers.
[[nodiscard]] std::shared_ptr<const trace::EventText> makeFolderEventText(
    std::vector<std::shared_ptr<const trace::EventText>> texts);

}  // namespace kinetoscope::import::capture
