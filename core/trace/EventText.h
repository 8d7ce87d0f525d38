// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/base/Time.h"
#include "core/trace/Category.h"

namespace kinetoscope::trace {

/// One of the events of a file, metadata and arrows among them. Its views are valid during the call
/// that hands it over.
struct ListedEvent {
    std::uint64_t offset = 0;
    std::string_view json;             ///< an object
    char phase = '\0';                 ///< '\0': it has none
    std::optional<TimeNs> time;        ///< not of complete events and metadata
    std::optional<Category> category;  ///< of arrows, where it is a known one
    std::optional<std::int64_t> id;    ///< of arrows
    std::string_view row;              ///< of begin and end events: the same belong together
};

/// A JSON value without the quotes of a string: some writers put numbers into quotes.
[[nodiscard]] inline std::string_view unquoted(std::string_view json) {
    const bool isString = json.size() > 1 && json.front() == '"' && json.back() == '"';
    return isString ? json.substr(1, json.size() - 2) : json;
}

/// The text an event was read from. Safe to call from any thread.
class EventText {
public:
    EventText() = default;
    EventText(const EventText&) = delete;
    EventText& operator=(const EventText&) = delete;
    virtual ~EventText() = default;

    /// The JSON object that starts at `offset` of the (decompressed) text, as written. Fails when
    /// the file changed or vanished since it was read.
    [[nodiscard]] virtual Result<std::string> event(std::uint64_t offset) const = 0;

    using Take = std::function<void(std::size_t index, const std::string& text)>;
    /// The same for many offsets, ascending. A text that is read from a file is read once.
    [[nodiscard]] virtual Result<void> events(std::span<const std::uint64_t> offsets,
                                              const Take& take) const {
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            const auto text = event(offsets[i]);
            if (!text) {
                return tl::unexpected(text.error());
            }
            take(i, *text);
        }
        return {};
    }

    using TakeValue = std::function<void(std::size_t index, std::string_view json)>;
    /// One of the arguments ("args") of many events, offsets ascending: its JSON as written, valid
    /// during the call, empty where an event has none or is damaged. Several threads may ask for
    /// different events at once.
    [[nodiscard]] virtual Result<void> argument(std::span<const std::uint64_t> offsets,
                                                std::string_view key,
                                                const TakeValue& take) const = 0;
    using TakeValues =
        std::function<void(std::size_t index, std::span<const std::string_view> json)>;
    /// The same for several arguments of each event at once, in the order of `keys`.
    [[nodiscard]] virtual Result<void> arguments(std::span<const std::uint64_t> offsets,
                                                 std::span<const std::string_view> keys,
                                                 const TakeValues& take) const;
    using TakeEvent = std::function<Result<void>(const ListedEvent& event)>;
    /// Every event of the file in its order, until `take` fails. `progress` is told bytes of the
    /// file. Fails with ErrorKind::Cancelled after a stop.
    [[nodiscard]] virtual Result<void> forEach(const TakeEvent& take, const std::stop_token& stop,
                                               Progress* progress) const {
        (void)take, (void)stop, (void)progress;
        return fail("its events cannot be listed");
    }
    /// Whether reading can begin at any event for little more than what the event costs.
    [[nodiscard]] virtual bool startsAnywhere() const { return false; }
};

}  // namespace kinetoscope::trace
