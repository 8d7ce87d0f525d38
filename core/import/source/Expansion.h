// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace kinetoscope::import::source {

/// How much larger than its compressed file a text may be: some kilobytes can be made to unpack to
/// terabytes. Traces shrink to a tenth or a thirtieth, a thousandth is the most that gzip can do.
struct ExpansionLimit {
    double factor = 300.0;                  ///< 0: no limit
    std::uint64_t freeBytes = 1ULL << 30U;  ///< of any text, however small its file is
};

/// Of the whole process: what was set, else the factor of $KINETOSCOPE_MAX_EXPANSION. To be set
/// before anything is read.
[[nodiscard]] ExpansionLimit& expansionLimit();

/// How much text a file of that size may become.
[[nodiscard]] std::uint64_t largestText(std::uint64_t fileBytes,
                                        const ExpansionLimit& limit = expansionLimit());

/// Whether that much text is too much for a file of that size.
[[nodiscard]] bool expandsTooFar(std::uint64_t textBytes, std::uint64_t fileBytes,
                                 const ExpansionLimit& limit = expansionLimit());

/// The limit in words, and what raises it.
[[nodiscard]] std::string expansionLimitWords(std::uint64_t fileBytes);

/// What $KINETOSCOPE_MAX_EXPANSION says if that is not a number from 0; else empty.
[[nodiscard]] std::string ignoredExpansion();

}  // namespace kinetoscope::import::source
