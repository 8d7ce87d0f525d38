// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/base/Time.h"
#include "core/import/perfetto/Sequences.h"
#include "core/import/perfetto/Tracks.h"
#include "core/import/source/InputFile.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::perfetto {

/// When a packet's event begins, and how long it lasts.
struct EventRow {
    std::uint64_t offset = 0;
    TimeNs start = 0;
    TimeNs duration = 0;
    StateMark state;  ///< of its sequence
};

/// State needed to recreate the events of a file.
struct PacketFacts {
    std::uint64_t textBytes = 0;
    std::unordered_map<std::uint32_t, Sequence> sequences;
    Tracks tracks;
    std::vector<EventRow> rows;
};

/// Reads packets again and words them as Kineto would.
[[nodiscard]] std::shared_ptr<const trace::EventText> makePacketText(const source::InputFile& file,
                                                                     PacketFacts facts);

}  // namespace kinetoscope::import::perfetto
