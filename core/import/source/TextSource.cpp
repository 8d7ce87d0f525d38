// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/TextSource.h"

namespace kinetoscope::import::source {

std::unique_ptr<const RestartPoints> TextSource::restartPoints() const {
    return nullptr;
}

}  // namespace kinetoscope::import::source
