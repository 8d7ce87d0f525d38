// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/import/source/TextBytes.h"
#include "core/import/wire/Fields.h"

namespace kinetoscope::import::wire {

/// Single fields of a text that may be compressed, at ascending offsets.
class FieldBytes {
public:
    /// `source` must outlive this and stand at the text's beginning.
    explicit FieldBytes(source::TextSource& source) : m_bytes(source) {}

    /// The field at `offset`, which ends before `limit`. False where none stands. Its bytes are
    /// valid until the next call.
    [[nodiscard]] bool read(std::uint64_t offset, std::uint64_t limit, Field& field);

private:
    source::TextBytes m_bytes;
    std::string m_held;  // the bytes up to m_bytes.position()
};

}  // namespace kinetoscope::import::wire
