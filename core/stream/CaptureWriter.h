// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/stream/CaptureFormat.h"
#include "core/stream/OwnDescriptor.h"

namespace kinetoscope::stream {

/// Appends chunks to a capture file. Not thread safe. Uses nothing but system calls, so that it
/// can live inside of a recorded program: nothing is written to a file of the program's, whatever
/// it does with our descriptor. One that it has closed is opened again.
class CaptureWriter {
public:
    CaptureWriter() = default;
    CaptureWriter(const CaptureWriter&) = delete;
    CaptureWriter& operator=(const CaptureWriter&) = delete;

    /// Creates the file, readable by its owner only, and writes `header` (JSON). False on errors;
    /// error() says which.
    [[nodiscard]] bool create(const std::string& path, std::string_view header);
    /// False when the chunk could not be written whole; the file then ends after the last whole
    /// chunk and takes no more. Payloads above kMaxPayloadBytes are refused.
    [[nodiscard]] bool append(format::ChunkType type, std::string_view payload);
    /// Footer, fsync and close. To be called once, and only when all went well.
    [[nodiscard]] bool finish(std::string_view footer);
    /// Forgets the file without touching it: for the child of a fork.
    void abandon();

    [[nodiscard]] bool usable() const { return m_file.isOpen() && m_error == 0; }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] int error() const { return m_error; }  ///< errno of the failure, 0 without
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Times that the program had closed the descriptor and the file was opened again.
    [[nodiscard]] std::uint64_t reopened() const { return m_reopened; }
    /// Whether error() is that of opening it again.
    [[nodiscard]] bool isLost() const { return m_lost; }

private:
    [[nodiscard]] bool reachFile();
    [[nodiscard]] bool writeAll(std::string_view bytes);
    [[nodiscard]] bool failed(int error);

    std::string m_path;
    std::string m_chunk;
    OwnDescriptor m_file;
    int m_error = 0;
    bool m_lost = false;
    std::uint64_t m_reopened = 0;
    std::uint32_t m_sequence = 0;
    std::uint64_t m_bytes = 0;
};

}  // namespace kinetoscope::stream
