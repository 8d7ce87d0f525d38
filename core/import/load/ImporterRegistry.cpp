// SPDX-License-Identifier: Apache-2.0
#include "core/import/load/ImporterRegistry.h"

#include <tuple>

#include "core/import/capture/CaptureImporter.h"
#include "core/import/execution/ExecutionImporter.h"
#include "core/import/load/DatabaseImporter.h"
#include "core/import/load/JsonImporter.h"
#include "core/import/perfetto/PerfettoImporter.h"
#include "core/import/proton/HatchetImporter.h"
#include "core/import/rocprof/RocprofImporter.h"
#include "core/import/xplane/XplaneImporter.h"

namespace kinetoscope::import {

namespace {

// The choosiest first.
using Importers = std::tuple<capture::CaptureImporter, DatabaseImporter, xplane::XplaneImporter,
                             perfetto::PerfettoImporter, proton::HatchetImporter,
                             rocprof::RocprofImporter, execution::ExecutionImporter, JsonImporter>;

}  // namespace

const Importer* importerFor(std::string_view head) {
    static const Importers importers;
    const Importer* found = nullptr;
    const auto ask = [&](const Importer& importer) {
        if (found == nullptr && importer.recognises(head)) {
            found = &importer;
        }
    };
    std::apply([&](const auto&... importer) { (ask(importer), ...); }, importers);
    return found;
}

}  // namespace kinetoscope::import
