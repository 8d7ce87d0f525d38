// SPDX-License-Identifier: Apache-2.0
#include "core/import/load/JsonImporter.h"

#include "core/import/xplane/XlaJson.h"

namespace kinetoscope::import {

Result<void> JsonImporter::complete(const ImportInput& input, trace::TraceBuilder& builder,
                                    const trace::EventText* text) const {
    return text == nullptr ? Result<void>() : xplane::describeXlaJson(input, builder, *text);
}

}  // namespace kinetoscope::import
