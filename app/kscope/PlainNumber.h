// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class Validator;
}

namespace kinetoscope::app {

/// A check for options with a number: decimal, finite, from `least` to `most`. CLI11 alone takes
/// "nan" for a number in any range, and hexadecimal ones too.
[[nodiscard]] CLI::Validator plainNumber(double least, double most);

}  // namespace kinetoscope::app
