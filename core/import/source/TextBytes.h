// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/import/source/TextSource.h"

namespace kinetoscope::import::source {

/// Pieces of a text that may be compressed, from its beginning to its end; what lies between them
/// is jumped over where the source can.
class TextBytes {
public:
    /// `source` must outlive this and stand at the text's beginning.
    explicit TextBytes(TextSource& source) : m_source(source) {}

    /// The next `count` bytes, fewer at the end of the text alone. Takes memory for what is there.
    [[nodiscard]] std::string take(std::size_t count);
    /// Continues at `offset`. False if the text ends before it, which only take() notices in a text
    /// that can be jumped in, and if it is before position() in one that cannot.
    [[nodiscard]] bool goTo(std::uint64_t offset);
    [[nodiscard]] std::uint64_t position() const { return m_position; }

private:
    TextSource& m_source;
    std::uint64_t m_position = 0;
};

}  // namespace kinetoscope::import::source
