// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace kinetoscope::text {

/// Input still to be read and room still to be written; deflate() moves both on.
struct DeflateSpans {
    const std::uint8_t* in = nullptr;
    std::size_t inBytes = 0;
    std::uint8_t* out = nullptr;
    std::size_t outBytes = 0;
};

/// Compresses into one gzip member. The libraries count bytes in 32 bits: at most 4 GiB a call.
class Deflater {
public:
    Deflater() = default;
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;
    virtual ~Deflater() = default;

    /// Reads and writes as much as there is; `last`: ends the member behind this input. There is
    /// more to come as long as the room gets full. False without memory.
    [[nodiscard]] virtual bool deflate(DeflateSpans& spans, bool last) = 0;
};

/// The one of ISA-L, or of zlib where ISA-L was not built in.
[[nodiscard]] std::unique_ptr<Deflater> makeDeflater();

}  // namespace kinetoscope::text
