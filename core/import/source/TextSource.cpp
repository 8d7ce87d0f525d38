// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/TextSource.h"

#include "core/import/source/Expansion.h"

namespace kinetoscope::import::source {

std::unique_ptr<const RestartPoints> TextSource::restartPoints() const {
    return nullptr;
}

bool TextSource::expandsTooFar(std::uint64_t textBytes) {
    if (!source::expandsTooFar(textBytes, fileBytes())) {
        return false;
    }
    setIssue(trace::Issue::ExpandsTooFar, expansionLimitWords(fileBytes()));
    return true;
}

}  // namespace kinetoscope::import::source
