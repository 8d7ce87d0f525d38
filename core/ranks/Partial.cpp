// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Partial.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/base/Threads.h"
#include "core/ranks/RecordCodec.h"
#include "core/ranks/packed/Varint.h"
#include "core/stream/Checksum.h"
#include "core/text/OutputFile.h"
#include "core/text/Printable.h"

namespace kinetoscope::ranks {

namespace {

using packed::putVarint;
using packed::takeVarint;

// A file: the eight bytes, the version, then parts, the last of which is the end. A part: its kind,
// its length, its bytes, and four bytes of CRC-32C of all three, the lowest first.
constexpr std::string_view kMagic("KSRANKS\n", 8);
constexpr std::uint64_t kVersion = 7;
constexpr std::size_t kChecksumBytes = 4;

enum class PartKind : std::uint8_t { End, Rank, Lost };

void putPart(std::string& bytes, PartKind kind, std::string_view content) {
    const std::size_t begin = bytes.size();
    putVarint(bytes, static_cast<std::uint64_t>(kind));
    putVarint(bytes, content.size());
    bytes += content;
    const std::uint32_t checksum = stream::crc32c(std::string_view(bytes).substr(begin));
    for (std::size_t i = 0; i < kChecksumBytes; ++i) {
        bytes += static_cast<char>(checksum >> (8 * i));
    }
}

// Its content, and `bytes` behind it; nothing where the part is damaged or cut.
bool takePart(std::string_view& bytes, PartKind& kind, std::string_view& content) {
    const std::string_view begin = bytes;
    std::uint64_t number = 0;
    std::uint64_t size = 0;
    if (!takeVarint(bytes, number) || !takeVarint(bytes, size) ||
        number > static_cast<std::uint64_t>(PartKind::Lost) || size > bytes.size() ||
        bytes.size() - size < kChecksumBytes) {
        return false;
    }
    kind = static_cast<PartKind>(number);
    content = bytes.substr(0, size);
    bytes.remove_prefix(size);
    std::uint32_t checksum = 0;
    for (std::size_t i = 0; i < kChecksumBytes; ++i) {
        checksum |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    const std::uint32_t found = stream::crc32c(begin.substr(0, begin.size() - bytes.size()));
    bytes.remove_prefix(kChecksumBytes);
    return found == checksum;
}

void putText(std::string& bytes, std::string_view text) {
    putVarint(bytes, text.size());
    bytes += text;
}

bool takeText(std::string_view& bytes, std::string& text) {
    std::uint64_t size = 0;
    if (!takeVarint(bytes, size) || size > bytes.size()) {
        return false;
    }
    text = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return true;
}

std::string lostBytes(const LostFile& lost) {
    std::string bytes;
    putText(bytes, lost.file);
    putText(bytes, lost.origin);
    return bytes + lost.reason;
}

bool takeLost(std::string_view content, Partial& partial) {
    LostFile lost;
    if (!takeText(content, lost.file) || !takeText(content, lost.origin)) {
        return false;
    }
    lost.reason = content;
    partial.lost.push_back(std::move(lost));
    return true;
}

Result<std::string> rankBytes(const RankRecord& record) {
    std::string bytes;
    putVarint(bytes, record.origins.size());
    for (const std::string& origin : record.origins) {
        putText(bytes, origin);
    }
    return encodeRecord(record).map([&](const std::string& content) { return bytes + content; });
}

bool takeOrigins(std::string_view& bytes, std::vector<std::string>& origins) {
    std::uint64_t count = 0;
    if (!takeVarint(bytes, count) || count > bytes.size()) {
        return false;
    }
    origins.resize(count);
    return std::ranges::all_of(origins,
                               [&](std::string& origin) { return takeText(bytes, origin); }) &&
           std::ranges::is_sorted(origins);
}

Result<void> takeContent(PartKind kind, std::string_view content, Partial& partial) {
    if (kind == PartKind::Lost) {
        return takeLost(content, partial) ? Result<void>() : fail("is damaged");
    }
    std::vector<std::string> origins;
    if (!takeOrigins(content, origins)) {
        return fail("is damaged");
    }
    auto record = decodeRecord(content);
    if (!record) {
        return tl::unexpected(record.error());
    }
    record->origins = std::move(origins);
    partial.records.push_back(std::move(*record));
    return {};
}

Result<Partial> decode(std::string_view bytes) {
    const std::size_t all = bytes.size();
    if (!bytes.starts_with(kMagic)) {
        return fail("is not a partial, as `kscope ranks --partial` writes them");
    }
    bytes.remove_prefix(kMagic.size());
    std::uint64_t version = 0;
    if (!takeVarint(bytes, version) || version != kVersion) {
        return fail("is a partial of another version of kscope; write it again with this one");
    }
    Partial partial;
    for (;;) {
        const std::size_t offset = all - bytes.size();
        PartKind kind = PartKind::End;
        std::string_view content;
        if (!takePart(bytes, kind, content)) {
            return fail(fmt::format("is damaged or truncated at byte {}; write it again", offset));
        }
        if (kind == PartKind::End) {
            break;
        }
        if (auto taken = takeContent(kind, content, partial); !taken) {
            return fail(
                fmt::format("{} at byte {}; write it again", taken.error().message, offset));
        }
    }
    if (!bytes.empty()) {
        return fail(fmt::format("has {} bytes after its end; write it again", bytes.size()));
    }
    return partial;
}

bool isThere(const LostFile& lost, const std::vector<RankRecord>& records) {
    return std::ranges::any_of(records, [&](const RankRecord& record) {
        return record.file == lost.file &&
               (lost.origin.empty() || std::ranges::binary_search(record.origins, lost.origin));
    });
}

void addOrigins(RankRecord& record, const std::vector<std::string>& others) {
    std::vector<std::string> all;
    std::ranges::set_union(record.origins, others, std::back_inserter(all));
    record.origins = std::move(all);
}

Result<void> order(Partial& partial) {
    std::ranges::stable_sort(partial.records, {}, [](const RankRecord& record) {
        return std::pair(record.rank, std::string_view(record.file));
    });
    std::vector<RankRecord> once;
    for (RankRecord& record : partial.records) {
        if (once.empty() || once.back().rank != record.rank) {
            once.push_back(std::move(record));
            continue;
        }
        const auto first = encodeRecord(once.back());
        const auto second = encodeRecord(record);
        if (!first || !second || *first != *second) {
            return twoOfOneRank(once.back(), record);
        }
        addOrigins(once.back(), record.origins);
    }
    partial.records = std::move(once);
    std::ranges::sort(partial.lost);
    const auto twice = std::ranges::unique(
        partial.lost, {}, [](const LostFile& lost) { return std::tie(lost.file, lost.origin); });
    partial.lost.erase(twice.begin(), twice.end());
    std::erase_if(partial.lost,
                  [&](const LostFile& lost) { return isThere(lost, partial.records); });
    return {};
}

Result<std::string> encode(Partial partial) {
    if (auto ordered = order(partial); !ordered) {
        return tl::unexpected(ordered.error());
    }
    std::string bytes(kMagic);
    putVarint(bytes, kVersion);
    for (const RankRecord& record : partial.records) {
        const auto content = rankBytes(record);
        if (!content) {
            return tl::unexpected(content.error());
        }
        putPart(bytes, PartKind::Rank, *content);
    }
    for (const LostFile& lost : partial.lost) {
        putPart(bytes, PartKind::Lost, lostBytes(lost));
    }
    putPart(bytes, PartKind::End, {});
    return bytes;
}

}  // namespace

std::string messageOf(const LostFile& lost) {
    return text::printable(lost.reason.find(lost.file) == std::string::npos
                               ? fmt::format("'{}': {}", lost.file, lost.reason)
                               : lost.reason);
}

std::string originOf(const std::string& file) {
    std::array<char, 256> host{};
    const bool known = ::gethostname(host.data(), host.size() - 1) == 0;
    std::error_code error;
    const auto path = std::filesystem::absolute(file, error);
    return fmt::format("{}:{}", known ? host.data() : "",
                       error ? file : path.lexically_normal().string());
}

tl::unexpected<Error> twoOfOneRank(const RankRecord& one, const RankRecord& other) {
    return fail(fmt::format("'{}': is of rank {}, and so is '{}'; give one file per rank",
                            text::printable(one.file), one.rank, text::printable(other.file)));
}

Result<void> putInOrder(Partial& partial) {
    return guarded([&] { return order(partial); });
}

Result<std::string> encodePartial(Partial partial) {
    return guarded([&] { return encode(std::move(partial)); });
}

Result<Partial> decodePartial(std::string_view bytes) {
    return guarded([&] { return decode(bytes); });
}

bool isPartial(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, kMagic.size()> begin{};
    return file.read(begin.data(), begin.size()) &&
           std::string_view(begin.data(), begin.size()) == kMagic;
}

Result<Partial> readPartial(const std::string& path) {
    return guarded(
        [&]() -> Result<Partial> {
            std::ifstream file(path, std::ios::binary);
            std::ostringstream bytes;
            if (!file.is_open() || !(bytes << file.rdbuf())) {
                return fail("'" + path + "': cannot be read");
            }
            auto partial = decode(bytes.view());
            return partial ? std::move(partial)
                           : fail("'" + path + "': " + partial.error().message);
        },
        path);
}

Result<void> writePartial(const std::string& path, Partial partial) {
    auto bytes = encodePartial(std::move(partial));
    return bytes ? text::writeFile(path, *bytes) : tl::unexpected(bytes.error());
}

}  // namespace kinetoscope::ranks
