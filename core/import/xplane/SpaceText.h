// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/import/source/InputFile.h"
#include "core/import/xplane/Space.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::xplane {

/// Reads events of an XSpace again and words them as Kineto would, with all of their statistics.
/// Keeps the names of `space`.
[[nodiscard]] std::shared_ptr<const trace::EventText> makeSpaceText(const source::InputFile& file,
                                                                    Space space, TimeNs base);

/// JSON of the process and the thread that a line's events belong to.
[[nodiscard]] std::string processJson(const Plane& plane);
[[nodiscard]] std::string threadJson(const Line& line);

}  // namespace kinetoscope::import::xplane
