// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>

#include "core/base/Threads.h"
#include "core/import/event/EventArgument.h"
#include "core/import/source/OpenTextSource.h"

namespace kinetoscope::import::event {

/// Events that are created on demand: a single one and its arguments come from events().
class WordedEvents : public trace::EventText {
public:
    [[nodiscard]] Result<std::string> event(std::uint64_t offset) const override {
        std::string found;
        return events({&offset, 1}, [&](std::size_t, const std::string& text) { found = text; })
            .map([&] { return found; });
    }
    [[nodiscard]] Result<void> events(std::span<const std::uint64_t> offsets,
                                      const Take& take) const override = 0;
    [[nodiscard]] Result<void> argument(std::span<const std::uint64_t> offsets,
                                        std::string_view key,
                                        const TakeValue& take) const override {
        return argumentOfEvents(*this, offsets, key, take);
    }
};

/// Those of a file that is opened again each time.
class FileEvents : public WordedEvents {
public:
    explicit FileEvents(const source::InputFile& file)
        : m_path(file.path()), m_identity(file.identity()) {}

    [[nodiscard]] Result<void> events(std::span<const std::uint64_t> offsets,
                                      const Take& take) const final {
        return guarded([&] { return readEvents(offsets, take); }, m_path);
    }
    [[nodiscard]] Result<void> forEach(const TakeEvent& take, const std::stop_token& stop,
                                       Progress* progress) const final {
        return guarded([&] { return list(take, stop, progress); }, m_path);
    }

protected:
    [[nodiscard]] tl::unexpected<Error> changed() const {
        return fail(fmt::format("'{}': is no longer the file that was opened", m_path));
    }
    [[nodiscard]] Result<std::unique_ptr<source::TextSource>> open() const {
        auto file = source::InputFile::reopen(m_path, m_identity);
        if (!file) {
            return tl::unexpected(file.error());
        }
        return source::openTextSource(std::move(*file));
    }

private:
    /// These two may throw.
    [[nodiscard]] virtual Result<void> readEvents(std::span<const std::uint64_t> offsets,
                                                  const Take& take) const = 0;
    [[nodiscard]] virtual Result<void> list(const TakeEvent& take, const std::stop_token& stop,
                                            Progress* progress) const = 0;

    std::string m_path;
    source::FileIdentity m_identity;
};

}  // namespace kinetoscope::import::event
