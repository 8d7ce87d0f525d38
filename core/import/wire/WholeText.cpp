// SPDX-License-Identifier: Apache-2.0
#include "core/import/wire/WholeText.h"

#include <algorithm>
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
    // One byte more than the file has tells that it ends there.
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

Result<std::string_view> WholeText::load(source::TextWindow& window, const std::stop_token& stop,
                                         Progress* progress) {
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
