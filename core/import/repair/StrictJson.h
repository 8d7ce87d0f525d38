// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kinetoscope::import::repair {

/// Whether `text` is one value of RFC 8259 in valid UTF-8: any parser takes it. So escapes have to
/// stand for characters, numbers have to fit into a double, and nothing nests deeper than
/// kMaxJsonDepth. Does not call itself, and looks no further than to the first byte that is wrong.
/// kTextPadding bytes behind the text must be readable.
[[nodiscard]] bool isStrictJson(std::string_view text);

/// The same for one number.
[[nodiscard]] bool isStrictNumber(std::string_view text);

}  // namespace kinetoscope::import::repair
