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

/// All of a file's text in memory, followed by scan::kTextPadding zeros: lengths in a message may
/// reach beyond it. A compressed text may have 4 GiB. `progress` receives half of the file's bytes;
/// the other half is for the reader of the text. Everything throws Stopped.
class WholeText {
public:
    /// Of an importer's window, which has to outlive the text: one that can be read only once stays
    /// there. A plain file is read by several threads: most of the time goes into fresh memory.
    [[nodiscard]] Result<std::string_view> load(source::TextWindow& window,
                                                const std::stop_token& stop, Progress* progress,
                                                unsigned threads = 1);
    /// Of a source that stands at its beginning.
    [[nodiscard]] Result<std::string_view> load(source::TextSource& source,
                                                const std::stop_token& stop, Progress* progress);

private:
    [[nodiscard]] bool loadPlain(const source::InputFile& file, const std::stop_token& stop,
                                 Progress* progress, unsigned threads);
    void makeRoom(std::size_t capacity);

    std::unique_ptr<char[]> m_bytes;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

}  // namespace kinetoscope::import::wire
