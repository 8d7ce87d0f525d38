// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/TextSource.h"

#include <fmt/format.h>

#include "core/import/scan/StringDecoder.h"
#include "core/import/source/Expansion.h"

namespace kinetoscope::import::source {

std::unique_ptr<const RestartPoints> TextSource::restartPoints() const {
    return nullptr;
}

bool TextSource::expandsTooFar(std::uint64_t textBytes) {
    const ExpansionLimit& limit = expansionLimit();
    if (limit.factor == 0.0 || textBytes <= limit.freeBytes ||
        static_cast<double>(textBytes) <= limit.factor * static_cast<double>(fileBytes())) {
        return false;
    }
    const std::string ignored = scan::excerpt(ignoredExpansion());
    setIssue(
        trace::Issue::ExpandsTooFar,
        fmt::format("more than {} times the {} bytes of the file; --max-expansion or "
                    "KINETOSCOPE_MAX_EXPANSION{} allow more",
                    limit.factor, fileBytes(),
                    ignored.empty() ? "" : fmt::format(" ('{}' is not a number from 0)", ignored)));
    return true;
}

}  // namespace kinetoscope::import::source
