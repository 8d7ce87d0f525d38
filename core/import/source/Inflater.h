// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace kinetoscope::import::source {

/// Input still to be read and room still to be written; inflate() moves both on.
struct InflateSpans {
    const std::uint8_t* in = nullptr;
    std::size_t inBytes = 0;
    std::uint8_t* out = nullptr;
    std::size_t outBytes = 0;
};

enum class InflateState : std::uint8_t { Going, MemberEnd, Damaged };

/// Decompresses one gzip member after the other; check sums are verified.
class Inflater {
public:
    Inflater() = default;
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    virtual ~Inflater() = default;

    /// Reads and writes as much as there is, at most to the end of the member; there it stays
    /// until startMember().
    [[nodiscard]] virtual InflateState inflate(InflateSpans& spans) = 0;
    /// Forgets the member that ended or broke.
    virtual void startMember() = 0;
    /// A copy in the same state, which continues from here; null without memory. Several threads
    /// may call it at the same time.
    [[nodiscard]] virtual std::unique_ptr<Inflater> copy() const = 0;
};

}  // namespace kinetoscope::import::source
