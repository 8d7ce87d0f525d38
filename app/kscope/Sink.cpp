// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/Sink.h"

#include "app/kscope/Command.h"
#include "app/kscope/Terminal.h"

namespace kinetoscope::app {

Result<void> Sink::write(std::string_view text) {
    if (m_path.empty()) {
        return printOut(text);
    }
    if (!m_file) {
        auto file = text::OutputFile::create(m_path);
        if (!file) {
            return tl::unexpected(file.error());
        }
        m_file.emplace(std::move(*file));
    }
    return m_file->write(text);
}

Result<void> Sink::finish() {
    return m_file ? m_file->commit() : Result<void>{};
}

int writeOutput(const std::string& path, std::string_view text) {
    Sink sink(path);
    const auto done = sink.write(text).and_then([&] { return sink.finish(); });
    return done ? kExitGood : reportError(done.error());
}

}  // namespace kinetoscope::app
