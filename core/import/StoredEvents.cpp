// SPDX-License-Identifier: Apache-2.0
#include "core/import/StoredEvents.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/import/GenericReader.h"
#include "core/import/TextWindow.h"
#include "core/import/TolerantReader.h"

namespace kinetoscope {

namespace {

constexpr std::size_t kChunk = 64 * 1024;

bool skipText(TextSource& source, std::uint64_t count) {
    std::vector<char> discarded(kChunk);
    while (count > 0) {
        const std::size_t got =
            source.read(discarded.data(),
                        static_cast<std::size_t>(std::min<std::uint64_t>(count, discarded.size())));
        if (got == 0) {
            return false;
        }
        count -= got;
    }
    return true;
}

// The end of the event at `at`, by the same two readers as when it was imported.
const char* eventEnd(const char* at, const char* end) {
    RawEvent event;
    Oddities oddities;
    ReadResult result = readEvent(at, end, event);
    if (!result.complete) {
        result = readEventTolerantly(at, end, event, oddities);
    }
    return result.complete ? result.at : nullptr;
}

}  // namespace

Result<std::string> StoredEvents::event(std::uint64_t offset) const {
    auto file = InputFile::reopen(m_path, m_identity);
    if (!file) {
        return tl::unexpected(file.error());
    }
    const Restart restart = m_points->before(offset, *file);
    if (skipText(*restart.source, offset - restart.textPosition)) {
        TextWindow window(*restart.source, kChunk);
        const char* at = window.end();
        while (window.more(at)) {
            if (*at != '{') {
                break;
            }
            if (const char* end = eventEnd(at, window.end())) {
                return std::string(at, end);
            }
        }
    }
    return fail(
        fmt::format("'{}' has no event at byte {} any more; open it again", m_path, offset));
}

}  // namespace kinetoscope
