// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/import/scan/JsonScan.h"

namespace kinetoscope::import::scan {

struct DecodedString {
    std::string_view text;  ///< valid UTF-8
    bool invalidEscape = false;
    bool invalidUtf8 = false;
};

/// The text a JSON string stands for. An escape that JSON does not know stays as written; bytes
/// that are not UTF-8 and lone surrogates become U+FFFD. The result points into `value` when there
/// is nothing to decode, else into `storage`.
[[nodiscard]] DecodedString decodeString(const JsonText& value, std::string& storage);

/// Whether a JSON string, with or without escapes, stands for `text`.
[[nodiscard]] bool standsFor(const JsonText& value, std::string_view text);

/// "text" without anything but itself on one line: control characters become blanks, and what is
/// longer than `most` bytes ends in "…". For examples in messages.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t most = 60);

}  // namespace kinetoscope::import::scan
