// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/wire/Fields.h"
#include "core/trace/ImportIssues.h"

/// Perfetto's traces (perfetto.dev, trace_packet.proto): one message after the other, of many
/// writers ("sequences"), in any order.
namespace kinetoscope::import::perfetto {

/// The parts of a TracePacket that are read. The views are messages; empty if absent.
struct Packet {
    std::uint64_t offset = 0;  ///< in the text, or behind it in what was unpacked
    std::uint64_t timestamp = 0;
    bool hasTimestamp = false;
    std::uint32_t clock = 0;  ///< 0: the sequence's own
    std::uint32_t sequence = 0;
    std::uint32_t flags = 0;
    bool dropped = false;   ///< packets before it were lost
    std::int64_t pid = -1;  ///< of the process that wrote it
    std::string_view trackEvent;
    std::string_view trackDescriptor;
    std::string_view internedData;
    std::string_view defaults;
    std::string_view clockSnapshot;
    std::string_view renderStage;
    std::string_view gpuCounters;
    std::string_view processDescriptor;
    std::string_view threadDescriptor;
    std::string_view deflated;
    std::string_view zstd;
    bool other = false;  ///< events or samples of a kind that is not read
};

/// False if the message is damaged.
[[nodiscard]] bool readPacket(std::string_view message, Packet& packet);

/// Whether a file with this start is a sequence of packets.
[[nodiscard]] bool isPackets(std::string_view head);

/// The packets of a text one after the other, compressed ones unpacked.
class PacketReader {
public:
    /// `text` must outlive the reader, and the reader the packets. Counts what it cannot read.
    PacketReader(std::string_view text, trace::IssueCounter& issues)
        : m_text(text), m_issues(issues), m_virtual(text.size()), m_budget(kBudget * text.size()) {
        m_open.push_back({text, 0, 0});
    }

    /// False at the end.
    [[nodiscard]] bool next(Packet& packet);
    /// Packets, readable or not.
    [[nodiscard]] std::uint64_t packets() const { return m_packets; }
    [[nodiscard]] std::uint64_t skipped() const { return m_skipped; }
    [[nodiscard]] std::string_view text() const { return m_text; }

private:
    // How often a text may be looked through for the next packet behind damage.
    static constexpr std::uint64_t kBudget = 4;

    struct Level {
        std::string_view text;
        std::size_t at = 0;
        std::uint64_t offset = 0;  // of the text's beginning
    };

    void skip(std::uint64_t offset, std::string_view what);
    void resume(Level& level);
    [[nodiscard]] bool expandsTooFar() const;
    [[nodiscard]] bool unpack(const Packet& packet);

    std::string_view m_text;
    trace::IssueCounter& m_issues;
    std::vector<Level> m_open;  // what is being read, the innermost last
    std::vector<std::unique_ptr<std::string>> m_unpacked;
    std::uint64_t m_virtual;
    std::uint64_t m_budget;
    std::uint64_t m_packets = 0;
    std::uint64_t m_skipped = 0;
};

}  // namespace kinetoscope::import::perfetto
