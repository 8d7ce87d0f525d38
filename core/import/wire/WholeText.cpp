// SPDX-License-Identifier: Apache-2.0
#include "core/import/wire/WholeText.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/base/Threads.h"
#include "core/import/scan/JsonScan.h"
#include "core/trace/ColumnMemory.h"

namespace kinetoscope::import::wire {

namespace {

constexpr std::size_t kPiece = 4U << 20;
constexpr std::size_t kMaxUnpacked = std::size_t{4} << 30;

tl::unexpected<Error> tooLarge() {
    return fail("has more than 4 GiB of text; unpack it first");
}

}  // namespace

void WholeText::makeRoom(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<char[]>(capacity + scan::kTextPadding);
    trace::preferHugePages(larger.get(), capacity);
    if (m_size > 0) {
        std::memcpy(larger.get(), m_bytes.get(), m_size);
    }
    m_bytes = std::move(larger);
    m_capacity = capacity;
}

Result<std::string_view> WholeText::load(source::TextSource& source, const std::stop_token& stop,
                                         Progress* progress) {
    // One byte more than the file has, to detect its end.
    makeRoom(static_cast<std::size_t>(source.fileBytes()) + 1);
    for (;;) {
        throwIfStopped(stop);
        if (m_size == m_capacity) {
            if (!source.compression().empty() && m_capacity >= kMaxUnpacked) {
                return tooLarge();
            }
            makeRoom(std::max(2 * m_capacity, kPiece));
        }
        const std::size_t got =
            source.read(m_bytes.get() + m_size, std::min(m_capacity - m_size, kPiece));
        if (got == 0) {
            std::memset(m_bytes.get() + m_size, 0, scan::kTextPadding);
            return std::string_view(m_bytes.get(), m_size);
        }
        m_size += got;
        if (progress != nullptr) {
            progress->set(source.filePosition() / 2);
        }
    }
}

// False where the file has not all the bytes it had; what there is has to be read in order then.
bool WholeText::loadPlain(const source::InputFile& file, const std::stop_token& stop,
                          Progress* progress, unsigned threads) {
    const auto bytes = static_cast<std::size_t>(file.identity().bytes);
    makeRoom(bytes);
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> read = 0;
    runOnThreads(threads, [&] {
        for (std::size_t at = next.fetch_add(kPiece); at < bytes; at = next.fetch_add(kPiece)) {
            const std::size_t wanted = std::min(kPiece, bytes - at);
            std::size_t have = 0;
            for (std::int64_t got = 1; have < wanted && got > 0;) {
                throwIfStopped(stop);
                got = file.read(m_bytes.get() + at + have, wanted - have, at + have);
                have += static_cast<std::size_t>(std::max<std::int64_t>(got, 0));
            }
            read += have;
            if (progress != nullptr) {
                progress->set(read / 2);
            }
        }
    });
    m_size = bytes;
    std::memset(m_bytes.get() + m_size, 0, scan::kTextPadding);
    return read == bytes;
}

Result<std::string_view> WholeText::load(source::TextWindow& window, const std::stop_token& stop,
                                         Progress* progress, unsigned threads) {
    const source::TextSource& whole = window.source();
    if (threads > 1 && whole.file() != nullptr && whole.compression().empty() &&
        loadPlain(*whole.file(), stop, progress, threads)) {
        return std::string_view(m_bytes.get(), m_size);
    }
    m_size = 0;
    if (const auto source = window.source().again()) {
        return load(*source, stop, progress);
    }
    if (progress != nullptr) {
        window.whenAdvanced([progress](std::uint64_t position) { progress->set(position / 2); });
    }
    const char* keep = window.begin();
    const auto size = [&] { return static_cast<std::size_t>(window.end() - keep); };
    while (window.more(keep)) {
        if (size() >= kMaxUnpacked) {
            return tooLarge();
        }
    }
    throwIfStopped(stop);
    return std::string_view(keep, size());
}

}  // namespace kinetoscope::import::wire
