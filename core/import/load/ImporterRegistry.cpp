// SPDX-License-Identifier: Apache-2.0
#include "core/import/load/ImporterRegistry.h"

#include <array>

#include "core/import/capture/CaptureImporter.h"
#include "core/import/chrome/ChromeTraceImporter.h"

namespace kinetoscope::import {

const Importer* importerFor(std::string_view head) {
    static const capture::CaptureImporter capture;
    static const chrome::ChromeTraceImporter chromeTrace;
    // One line for each importer, the choosiest first.
    static const std::array<const Importer*, 2> importers{
        &capture,
        &chromeTrace,
    };
    for (const Importer* importer : importers) {
        if (importer->recognises(head)) {
            return importer;
        }
    }
    return nullptr;
}

}  // namespace kinetoscope::import
