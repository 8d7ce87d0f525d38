// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>

#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/import/source/TextSource.h"
#include "core/import/source/TextWindow.h"

namespace kinetoscope::import::wire {

/// All of a file's text in memory: what a message says of its parts may stand behind them.
class WholeText {
public:
    /// Reads it from `source`, which stands at its beginning. A compressed text may have 4 GiB.
    /// Throws Stopped. `progress` is told half of the file's bytes: the other half is for whoever
    /// reads the text.
    [[nodiscard]] static Result<WholeText> read(source::TextSource& source,
                                                const std::stop_token& stop, Progress* progress);

    /// The same of a text that comes only once, which stays in the window.
    [[nodiscard]] static Result<std::string_view> read(source::TextWindow& window,
                                                       Progress* progress);

    [[nodiscard]] std::string_view text() const { return {m_bytes.get(), m_size}; }

private:
    void makeRoom(std::size_t capacity);

    std::unique_ptr<char[]> m_bytes;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

}  // namespace kinetoscope::import::wire
