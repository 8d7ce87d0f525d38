// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/import/LoadOptions.h"
#include "core/import/source/TextWindow.h"
#include "core/trace/Trace.h"

namespace kinetoscope::import {

/// A file to import, opened and decompressed.
struct ImportInput {
    std::string path;
    std::uint64_t fileBytes = 0;
    source::TextWindow& text;  ///< its beginning is in memory already
    const LoadOptions& options;
    ReadTuning tuning;
};

/// Reads one kind of file. Importers have no state and may be used from any thread.
class Importer {
public:
    Importer() = default;
    Importer(const Importer&) = delete;
    Importer& operator=(const Importer&) = delete;
    virtual ~Importer() = default;

    /// Whether a text with this start is of this kind. `head` has a few hundred kilobytes at most.
    [[nodiscard]] virtual bool recognises(std::string_view head) const = 0;
    /// Fails with one line for the user if nothing in the text can be read as a trace, and with
    /// ErrorKind::Cancelled if a stop was requested.
    [[nodiscard]] virtual Result<std::shared_ptr<const trace::Trace>> read(
        ImportInput& input) const = 0;
};

}  // namespace kinetoscope::import
