// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/import/source/TextSource.h"
#include "core/trace/Trace.h"

namespace kinetoscope::import::chrome {

/// Reads events again from the file they came from, or the text in memory; holds no file open in
/// between.
class StoredEvents final : public trace::EventText {
public:
    /// `file`: null for a text in memory.
    StoredEvents(const source::InputFile* file, std::unique_ptr<const source::RestartPoints> points)
        : m_path(file != nullptr ? file->path() : std::string("the text")),
          m_identity(file != nullptr ? std::optional(file->identity()) : std::nullopt),
          m_points(std::move(points)) {}

    [[nodiscard]] Result<std::string> event(std::uint64_t offset) const override;
    [[nodiscard]] Result<void> events(std::span<const std::uint64_t> offsets,
                                      const Take& take) const override;
    [[nodiscard]] Result<void> argument(std::span<const std::uint64_t> offsets,
                                        std::string_view key, const TakeValue& take) const override;
    [[nodiscard]] Result<void> arguments(std::span<const std::uint64_t> offsets,
                                         std::span<const std::string_view> keys,
                                         const TakeValues& take) const override;
    [[nodiscard]] bool startsAnywhere() const override { return m_points->everywhere(); }
    [[nodiscard]] Result<void> forEach(const TakeEvent& take, const std::stop_token& stop,
                                       Progress* progress) const override;

private:
    /// Whether the event at `at` of a window is whole, and what was wanted of it then taken. The
    /// place is that of the event's first byte.
    using TakeHere = std::function<bool(std::size_t index, const char* at, const char* end)>;
    /// Reads from the last restart point before the first offset, `chunk` bytes at a time.
    [[nodiscard]] Result<void> read(std::span<const std::uint64_t> offsets, std::size_t chunk,
                                    const TakeHere& take) const;
    /// Null where there is none.
    [[nodiscard]] Result<std::shared_ptr<const source::InputFile>> reopen() const;

    std::string m_path;
    std::optional<source::FileIdentity> m_identity;
    std::unique_ptr<const source::RestartPoints> m_points;
};

/// Reads the events of what `source` has read; null where that cannot be read again.
[[nodiscard]] std::shared_ptr<const trace::EventText> storedEvents(
    const source::TextSource& source);

}  // namespace kinetoscope::import::chrome
