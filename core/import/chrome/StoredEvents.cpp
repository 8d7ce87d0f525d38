// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/StoredEvents.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/import/chrome/EventWalk.h"
#include "core/import/event/EventArgument.h"
#include "core/import/event/GenericReader.h"
#include "core/import/source/OpenTextSource.h"
#include "core/import/source/TextWindow.h"

namespace kinetoscope::import::chrome {

namespace {

constexpr std::size_t kChunk = 64 * 1024;

bool skipText(source::TextSource& source, std::uint64_t count) {
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

// The end of the event at `at`.
const char* eventEnd(const char* at, const char* end) {
    event::RawEvent event;
    const event::ReadResult result = event::readEitherWay(at, end, event);
    return result.complete ? result.at : nullptr;
}

// Puts the window's text at `offset`, which is not before what is in memory, or at its end.
const char* goTo(source::TextWindow& window, std::uint64_t offset, bool seeks) {
    if (seeks && offset > window.offsetOf(window.end()) + source::kTextChunk) {
        return window.seek(offset);
    }
    while (window.offsetOf(window.end()) < offset) {
        const char* keep = window.end();
        if (!window.more(keep)) {
            return nullptr;
        }
    }
    return window.begin() + (offset - window.offsetOf(window.begin()));
}

// Whether all of the text has been seen.
Result<void> checkRead(const source::TextWindow& window, const std::string& path) {
    if (window.stopped()) {
        return fail("cancelled", ErrorKind::Cancelled);
    }
    const source::TextSource& text = window.source();
    if (text.issue() && text.issue()->issue == trace::Issue::ReadError) {
        return fail(fmt::format("'{}': cannot be read: {}", path, text.issue()->example));
    }
    if (text.changed()) {
        return fail(fmt::format("'{}': was written to while it was read; try again", path));
    }
    return {};
}

}  // namespace

Result<std::string> StoredEvents::event(std::uint64_t offset) const {
    std::string found;
    return read({&offset, 1}, kChunk,
                [&](std::size_t, const char* at, const char* end) {
                    const char* const behind = eventEnd(at, end);
                    found.assign(at, behind == nullptr ? at : behind);
                    return behind != nullptr;
                })
        .map([&] { return found; });
}

Result<void> StoredEvents::events(std::span<const std::uint64_t> offsets, const Take& take) const {
    return read(offsets, source::kTextChunk,
                [&](std::size_t index, const char* at, const char* end) {
                    const char* const behind = eventEnd(at, end);
                    if (behind != nullptr) {
                        take(index, {at, behind});
                    }
                    return behind != nullptr;
                });
}

Result<void> StoredEvents::argument(std::span<const std::uint64_t> offsets, std::string_view key,
                                    const TakeValue& take) const {
    return arguments(offsets, {&key, 1},
                     [&](std::size_t index, auto values) { take(index, values.front()); });
}

Result<void> StoredEvents::arguments(std::span<const std::uint64_t> offsets,
                                     std::span<const std::string_view> keys,
                                     const TakeValues& take) const {
    std::vector<std::string_view> values(keys.size());
    return read(offsets, source::kTextChunk,
                [&](std::size_t index, const char* at, const char* end) {
                    const bool found = event::findArguments(at, end, keys, values).complete;
                    if (!found) {
                        std::ranges::fill(values, std::string_view());
                    }
                    if (found || eventEnd(at, end) != nullptr) {
                        take(index, values);
                        return true;
                    }
                    return false;
                });
}

Result<void> StoredEvents::forEach(const TakeEvent& take, const std::stop_token& stop,
                                   Progress* progress) const {
    auto file = reopen();
    auto text = !file              ? tl::unexpected(file.error())
                : *file != nullptr ? source::openTextSource(std::move(*file))
                                   : m_points->before(0, nullptr).source;
    if (!text) {
        return tl::unexpected(text.error());
    }
    source::TextWindow window(**text, source::kTextChunk, stop);
    if (progress != nullptr) {
        window.whenAdvanced([&](std::uint64_t position) { progress->set(position); });
    }
    EventWalk walk(window);
    trace::ListedEvent event;
    if (walk.enter()) {
        while (walk.next(event)) {
            if (auto taken = take(event); !taken) {
                return taken;
            }
        }
    }
    return checkRead(window, m_path);
}

Result<std::shared_ptr<const source::InputFile>> StoredEvents::reopen() const {
    return m_identity ? source::InputFile::reopen(m_path, *m_identity)
                      : Result<std::shared_ptr<const source::InputFile>>(nullptr);
}

Result<void> StoredEvents::read(std::span<const std::uint64_t> offsets, std::size_t chunk,
                                const TakeHere& take) const {
    if (offsets.empty()) {
        return {};
    }
    const auto file = reopen();
    if (!file) {
        return tl::unexpected(file.error());
    }
    const std::uint64_t first = offsets.front();
    const source::Restart restart = m_points->before(first, *file);
    const bool there = skipText(*restart.source, first - restart.textPosition);
    const bool seeks = first == restart.textPosition && restart.source->again() != nullptr;
    source::TextWindow window(*restart.source, chunk);
    const std::uint64_t origin = seeks ? 0 : first;  // of the window's places in the text
    if (seeks) {
        (void)window.seek(first);
    }
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const char* at = there ? goTo(window, offsets[i] - origin, seeks) : nullptr;
        bool taken = false;
        while (at != nullptr && !taken) {
            if (at != window.end() && *at != '{') {
                break;
            }
            taken = at != window.end() && take(i, at, window.end());
            if (!taken && !window.more(at)) {
                break;
            }
        }
        if (!taken) {
            return fail(fmt::format("'{}': has no event at byte {} any more; open it again", m_path,
                                    offsets[i]));
        }
    }
    return {};
}

std::shared_ptr<const trace::EventText> storedEvents(const source::TextSource& source) {
    auto points = source.restartPoints();
    return points == nullptr ? nullptr
                             : std::make_shared<StoredEvents>(source.file(), std::move(points));
}

}  // namespace kinetoscope::import::chrome
