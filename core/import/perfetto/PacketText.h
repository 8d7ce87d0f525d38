// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/base/Time.h"
#include "core/import/perfetto/RowWords.h"
#include "core/import/perfetto/Sequences.h"
#include "core/import/perfetto/Tracks.h"
#include "core/import/source/InputFile.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::perfetto {

/// Where and when the slice or instant of a packet was put.
struct EventRow {
    std::uint64_t offset = 0;
    TimeNs start = 0;
    TimeNs duration = 0;
    std::uint64_t uuid = 0;  ///< of the track that it names
    StateMark state;         ///< of its sequence
    trace::TrackId track = 0;
};

/// State needed to recreate the events of a file.
struct PacketFacts {
    std::uint64_t textBytes = 0;
    std::unordered_map<std::uint32_t, Sequence> sequences;
    Tracks tracks;
    std::vector<RowWords> rowWords;  ///< by TrackId
    std::vector<EventRow> rows;
    std::vector<trace::CounterSample> samples;
    std::vector<trace::FlowPoint> flows;  ///< as the trace has them
};

/// Reads packets again and words them as Kineto would.
[[nodiscard]] std::shared_ptr<const trace::EventText> makePacketText(const source::InputFile& file,
                                                                     PacketFacts facts);

}  // namespace kinetoscope::import::perfetto
