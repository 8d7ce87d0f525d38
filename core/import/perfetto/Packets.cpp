// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/Packets.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "core/import/source/Expansion.h"

namespace kinetoscope::import::perfetto {

namespace {

constexpr std::uint32_t kPacket = 1;             // Trace.packet
constexpr std::size_t kMaxOfPacket = 64U << 20;  // unpacked; writers stay below 512 KiB
constexpr std::size_t kSmallPacket = 64U << 10;
// Of all packets: small ones take longer to read than any other text.
constexpr std::uint64_t kFreeBytes = 128U << 20;

// Events and samples of the kernel, of heaps and of processors.
bool isOtherKind(std::uint32_t tag) {
    constexpr std::uint32_t kKinds[] = {1, 7, 9, 37, 38, 40, 54, 56, 57, 65, 66, 95};
    return std::ranges::find(kKinds, tag) != std::end(kKinds);
}

// Nothing when it is not a whole deflate stream.
bool inflateTo(std::string_view packed, std::string& out) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) {
        return false;
    }
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    int status = Z_OK;
    while (status == Z_OK && out.size() < kMaxOfPacket) {
        const std::size_t before = out.size();
        out.resize(std::min(std::max(2 * before, 4 * packed.size() + 64), kMaxOfPacket));
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
        stream.avail_out = static_cast<uInt>(out.size() - before);
        status = inflate(&stream, Z_NO_FLUSH);
        out.resize(out.size() - stream.avail_out);
        if (status == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) {
            break;  // the stream is cut
        }
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END;
}

bool unpackZstd(std::string_view packed, std::string& out) {
    const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size == ZSTD_CONTENTSIZE_ERROR) {
        return false;
    }
    // The largest plausible frame.
    const std::size_t most = std::min(kMaxOfPacket, 1000 * packed.size() + kSmallPacket);
    out.resize(size == ZSTD_CONTENTSIZE_UNKNOWN ? most : std::min<std::size_t>(size, most));
    const std::size_t got = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
    if (ZSTD_isError(got) != 0U) {
        out.clear();
        return false;
    }
    out.resize(got);
    out.shrink_to_fit();
    return true;
}

}  // namespace

bool readPacket(std::string_view message, Packet& packet) {
    return wire::forEachField(message, [&](const wire::Field& field) {
        switch (field.tag) {
            case 8:
                packet.timestamp = field.number;
                packet.hasTimestamp = !field.isBytes();
                return;
            case 10:
                packet.sequence = static_cast<std::uint32_t>(field.number);
                return;
            case 13:
                packet.flags |= static_cast<std::uint32_t>(field.number);
                return;
            case 41:
                packet.flags |= field.number != 0 ? 1U : 0U;
                return;
            case 42:
                packet.dropped = field.number != 0;
                return;
            case 58:
                packet.clock = static_cast<std::uint32_t>(field.number);
                return;
            case 79:
                packet.pid = field.integer();
                return;
            case 6:
                packet.clockSnapshot = field.bytes;
                return;
            case 11:
                packet.trackEvent = field.bytes;
                return;
            case 12:
                packet.internedData = field.bytes;
                return;
            case 43:
                packet.processDescriptor = field.bytes;
                return;
            case 44:
                packet.threadDescriptor = field.bytes;
                return;
            case 50:
                packet.deflated = field.bytes;
                return;
            case 52:
                packet.gpuCounters = field.bytes;
                return;
            case 53:
                packet.renderStage = field.bytes;
                return;
            case 59:
                packet.defaults = field.bytes;
                return;
            case 60:
                packet.trackDescriptor = field.bytes;
                return;
            case 133:
                packet.zstd = field.bytes;
                return;
            default:
                packet.other |= isOtherKind(field.tag);
        }
    });
}

bool isPackets(std::string_view head) {
    const char* at = head.data();
    const char* end = at + head.size();
    wire::Field field;
    constexpr int kMaxProbed = 3;
    bool known = false;
    for (int packet = 0; packet < kMaxProbed && at < end; ++packet) {
        if (!wire::nextField(at, end, field) || field.tag != kPacket || !field.isBytes()) {
            // Damage further on is for the reader.
            return packet > 1 && known;
        }
        bool good = true;
        const bool whole = wire::forEachField(field.bytes, [&](const wire::Field& inner) {
            const bool number = inner.tag == 3 || inner.tag == 8 || inner.tag == 10 ||
                                inner.tag == 13 || inner.tag == 58 || inner.tag == 79;
            good = good && inner.tag < 1000 && (!number || !inner.isBytes());
            known = known || (number && inner.tag != 3) || inner.tag == 6 || inner.tag == 11 ||
                    inner.tag == 36 || inner.tag == 33 || inner.tag == 50 || inner.tag == 60;
        });
        if (!good || (!whole && !field.cut)) {
            return packet > 1 && known;
        }
    }
    return known;
}

void PacketReader::skip(std::uint64_t offset, std::string_view what) {
    ++m_skipped;
    m_issues.add(trace::Issue::MalformedEvent, offset, [&] { return std::string(what); });
}

// Goes to the next place where a whole packet stands that another one or the end follows.
void PacketReader::resume(Level& level) {
    const std::string_view text = level.text;
    while (level.at < text.size()) {
        const auto found = text.find('\x0a', level.at + 1);
        if (found == std::string_view::npos) {
            break;
        }
        level.at = found;
        const char* at = text.data() + found;
        const char* end = text.data() + text.size();
        wire::Field field;
        if (!wire::nextField(at, end, field) || field.cut || field.tag != kPacket ||
            field.bytes.empty() || (at < end && *at != '\x0a')) {
            continue;
        }
        if (field.bytes.size() > m_budget) {
            break;
        }
        m_budget -= field.bytes.size();
        Packet packet;
        if (readPacket(field.bytes, packet)) {
            return;
        }
    }
    level.at = text.size();
}

bool PacketReader::expandsTooFar() const {
    source::ExpansionLimit limit = source::expansionLimit();
    limit.freeBytes = std::min(limit.freeBytes, kFreeBytes);
    return source::expandsTooFar(m_virtual - m_text.size(), m_text.size(), limit);
}

bool PacketReader::unpack(const Packet& packet) {
    auto text = std::make_unique<std::string>();
    const bool good = packet.deflated.empty() ? unpackZstd(packet.zstd, *text)
                                              : inflateTo(packet.deflated, *text);
    // A damaged deflate stream is read as far as it goes.
    if (!text->empty()) {
        m_open.push_back({*text, 0, m_virtual});
        m_virtual += text->size();
        m_unpacked.push_back(std::move(text));
    }
    return good;
}

bool PacketReader::next(Packet& packet) {
    constexpr std::size_t kDeepest = 4;  // packets inside of compressed packets
    while (!m_open.empty()) {
        Level& level = m_open.back();
        if (level.at >= level.text.size()) {
            m_open.pop_back();
            continue;
        }
        const char* at = level.text.data() + level.at;
        wire::Field field;
        const std::uint64_t offset = level.offset + level.at;
        const bool read =
            wire::nextField(at, level.text.data() + level.text.size(), field) && !field.cut;
        if (!read || field.tag != kPacket || !field.isBytes()) {
            ++m_packets;
            const bool last = field.cut && level.offset == 0;
            if (last) {
                m_issues.add(trace::Issue::TruncatedText, m_text.size(),
                             [] { return std::string("the file ends inside of a packet"); });
            }
            skip(offset, "no packet stands where one was expected");
            resume(level);
            continue;
        }
        level.at = static_cast<std::size_t>(at - level.text.data());
        ++m_packets;
        packet = {};
        packet.offset = offset;
        if (!readPacket(field.bytes, packet)) {
            skip(offset, "a packet cannot be understood to its end");
            continue;
        }
        if (packet.deflated.empty() && packet.zstd.empty()) {
            return true;
        }
        if (expandsTooFar()) {
            ++m_skipped;
            m_issues.add(trace::Issue::ExpandsTooFar, offset,
                         [&] { return source::expansionLimitWords(m_text.size()); });
        } else if (m_open.size() >= kDeepest || !unpack(packet)) {
            skip(offset, "compressed packets are damaged or too large");
        }
    }
    return false;
}

}  // namespace kinetoscope::import::perfetto
