// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/import/source/InputFile.h"
#include "core/stream/CaptureDecoder.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::capture {

/// Reads single records of a capture, compressed or not, again and words them as `kscope convert`
/// would. Keeps the names and devices of `decoder`, not the decoder itself. `calls` are sorted.
[[nodiscard]] std::shared_ptr<const trace::EventText> makeCaptureEventText(
    const std::string& path, const stream::CaptureDecoder& decoder,
    std::shared_ptr<const stream::CallRanges> calls);
/// The same of a file that is open, wherever it is moved to.
[[nodiscard]] std::shared_ptr<const trace::EventText> makeCaptureEventText(
    std::shared_ptr<const source::InputFile> file, const stream::CaptureDecoder& decoder,
    std::shared_ptr<const stream::CallRanges> calls);

}  // namespace kinetoscope::import::capture
