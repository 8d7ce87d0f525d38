// SPDX-License-Identifier: Apache-2.0
#include "core/sqlite/WriteAheadLog.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace kinetoscope::sqlite {

namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::uint32_t kMagic = 0x377f0682;  // one more where sums are of big-endian words
constexpr std::uint32_t kVersion = 3007000;

std::uint32_t wordAt(const unsigned char* at, bool bigEndian = true) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < sizeof word; ++i) {
        word = word << 8U | at[bigEndian ? i : sizeof word - 1 - i];
    }
    return word;
}

bool readWhole(const DatabaseBytes& bytes, unsigned char* to, std::size_t count,
               std::uint64_t offset) {
    std::size_t have = 0;
    while (have < count) {
        const std::int64_t got =
            bytes.read(reinterpret_cast<char*>(to) + have, count - have, offset + have);
        if (got <= 0) {
            return false;
        }
        have += static_cast<std::size_t>(got);
    }
    return true;
}

// The two sums that continue from frame to frame.
struct Sums {
    std::uint32_t first = 0;
    std::uint32_t second = 0;

    void add(const unsigned char* at, std::size_t bytes, bool bigEndian) {
        for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
            first += wordAt(at + i, bigEndian) + second;
            second += wordAt(at + i + 4, bigEndian) + first;
        }
    }
    [[nodiscard]] bool areAt(const unsigned char* at) const {
        return first == wordAt(at) && second == wordAt(at + 4);
    }
};

std::uint64_t pageBytesOf(const DatabaseBytes& database) {
    std::array<unsigned char, 18> header{};
    if (!readWhole(database, header.data(), header.size(), 0)) {
        return 0;
    }
    const std::uint32_t bytes = wordAt(&header[14]) & 0xffffU;
    return bytes == 1 ? 65536 : bytes;
}

}  // namespace

std::shared_ptr<const WriteAheadLog> WriteAheadLog::read(const DatabaseBytes& log,
                                                         const DatabaseBytes& database) {
    std::array<unsigned char, kHeaderBytes> header{};
    if (!readWhole(log, header.data(), header.size(), 0)) {
        return nullptr;
    }
    const bool bigEndian = wordAt(header.data()) == kMagic + 1;
    const std::uint64_t pageBytes = wordAt(&header[8]);
    Sums sums;
    sums.add(header.data(), 24, bigEndian);
    if ((wordAt(header.data()) & ~1U) != kMagic || wordAt(&header[4]) != kVersion ||
        pageBytes < 512 || pageBytes != pageBytesOf(database) || !sums.areAt(&header[24])) {
        return nullptr;
    }
    auto pages = std::make_shared<WriteAheadLog>();
    pages->m_pageBytes = pageBytes;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> written;  // since the last commit
    std::vector<unsigned char> frame(kFrameHeaderBytes + pageBytes);
    for (std::uint64_t at = kHeaderBytes; readWhole(log, frame.data(), frame.size(), at);
         at += frame.size()) {
        sums.add(frame.data(), 8, bigEndian);
        sums.add(frame.data() + kFrameHeaderBytes, pageBytes, bigEndian);
        // Behind the last frame stand those of an earlier log, if any.
        if (!std::equal(&frame[8], &frame[16], &header[16]) || !sums.areAt(&frame[16])) {
            break;
        }
        written.emplace_back(wordAt(frame.data()), at + kFrameHeaderBytes);
        if (const std::uint32_t whole = wordAt(&frame[4]); whole != 0) {
            for (const auto& [page, place] : written) {
                pages->m_places[page] = place;
            }
            written.clear();
            // Every page is in one of the two.
            pages->m_bytes = std::min(whole * pageBytes, database.size() + log.size());
        }
    }
    return pages->m_places.empty() ? nullptr : pages;
}

class WriteAheadLog::Bytes final : public DatabaseBytes {
public:
    Bytes(std::shared_ptr<const WriteAheadLog> pages, std::shared_ptr<const DatabaseBytes> log,
          std::shared_ptr<const DatabaseBytes> database)
        : m_pages(std::move(pages)), m_log(std::move(log)), m_database(std::move(database)) {}

    [[nodiscard]] std::uint64_t size() const override { return m_pages->m_bytes; }

    // Up to the end of a page, or of the pages in a row that the database has itself.
    [[nodiscard]] std::int64_t read(char* to, std::size_t capacity,
                                    std::uint64_t offset) const override {
        const std::uint64_t pageBytes = m_pages->m_pageBytes;
        const std::uint64_t end = std::min(m_pages->m_bytes, offset + capacity);
        if (offset >= end) {
            return 0;
        }
        std::uint64_t page = offset / pageBytes + 1;
        const auto own = m_pages->m_places.find(page);
        if (own != m_pages->m_places.end()) {
            const std::uint64_t within = offset % pageBytes;
            return m_log->read(to, std::min(end - offset, pageBytes - within),
                               own->second + within);
        }
        while (page * pageBytes < end && !m_pages->m_places.contains(page + 1)) {
            ++page;
        }
        return m_database->read(to, std::min(end, page * pageBytes) - offset, offset);
    }

private:
    std::shared_ptr<const WriteAheadLog> m_pages;
    std::shared_ptr<const DatabaseBytes> m_log;
    std::shared_ptr<const DatabaseBytes> m_database;
};

std::shared_ptr<const DatabaseBytes> WriteAheadLog::apply(
    std::shared_ptr<const WriteAheadLog> pages, std::shared_ptr<const DatabaseBytes> log,
    std::shared_ptr<const DatabaseBytes> database) {
    return std::make_shared<Bytes>(std::move(pages), std::move(log), std::move(database));
}

}  // namespace kinetoscope::sqlite
