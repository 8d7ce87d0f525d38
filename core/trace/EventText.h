// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/Result.h"

namespace kinetoscope {

/// The text an event was read from. Safe to call from any thread.
class EventText {
public:
    EventText() = default;
    EventText(const EventText&) = delete;
    EventText& operator=(const EventText&) = delete;
    virtual ~EventText() = default;

    /// The JSON object that starts at `offset` of the (decompressed) text, as written. Fails when
    /// the file changed or vanished since it was read.
    [[nodiscard]] virtual Result<std::string> event(std::uint64_t offset) const = 0;
};

}  // namespace kinetoscope
