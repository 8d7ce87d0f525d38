// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/import/event/GenericReader.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::event {

/// The value of the member `key` of the object "args" of the event whose '{' is at `at`, as
/// written, strings with their quotes; the last of several. Incomplete if the text ends first or is
/// damaged: then `value` means nothing. `end` is followed by kTextPadding zeros.
[[nodiscard]] ReadResult findArgument(const char* at, const char* end, std::string_view key,
                                      std::string_view& value);
/// The same for several keys; as many `values` as there are `keys`, empty for those not there.
[[nodiscard]] ReadResult findArguments(const char* at, const char* end,
                                       std::span<const std::string_view> keys,
                                       std::span<std::string_view> values);

/// EventText::argument() of a text whose events are made on demand.
[[nodiscard]] Result<void> argumentOfEvents(const trace::EventText& text,
                                            std::span<const std::uint64_t> offsets,
                                            std::string_view key,
                                            const trace::EventText::TakeValue& take);

}  // namespace kinetoscope::import::event
