// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/import/source/TextSource.h"
#include "core/stream/CaptureInfo.h"
#include "core/stream/ChunkReader.h"

namespace kinetoscope::convert {

/// The chunks of a capture file, compressed or not, one after the other, in bounded memory.
class CaptureFile {
public:
    /// Fails if there is no such file or it is not a capture.
    [[nodiscard]] static Result<CaptureFile> open(const std::string& path);

    /// False at the end; the views of `chunk` are valid until the next call.
    [[nodiscard]] bool next(stream::Chunk& chunk);
    /// Why the end came too early; empty when the file ends with a whole chunk.
    [[nodiscard]] const std::string& problem() const { return m_problem; }
    [[nodiscard]] std::uint64_t payloadOffset() const { return m_payloadOffset; }
    /// Bytes of the file on disk that were read.
    [[nodiscard]] std::uint64_t filePosition() const { return m_source->filePosition(); }

private:
    explicit CaptureFile(std::unique_ptr<import::source::TextSource> source)
        : m_source(std::move(source)) {}
    [[nodiscard]] bool more();

    std::unique_ptr<import::source::TextSource> m_source;
    stream::ChunkReader m_reader;
    std::string m_bytes;
    std::size_t m_at = 0;  // of the next chunk in m_bytes
    std::uint64_t m_position = 0;
    std::uint64_t m_payloadOffset = 0;
    std::string m_problem;
};

/// Facts of a capture that are needed before its first event is written.
struct CaptureSummary {
    stream::CaptureInfo info;
    std::string headerJson;
    std::vector<stream::CaptureDevice> devices;
    std::uint64_t bytes = 0;  ///< of the file on disk
    std::string problem;      ///< why devices may be missing; else empty
};

/// Reads the header and, jumping over everything else, the devices.
[[nodiscard]] Result<CaptureSummary> summarizeCapture(const std::string& path);

}  // namespace kinetoscope::convert
