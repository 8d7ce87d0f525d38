// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/import/source/InputFile.h"
#include "core/trace/ImportIssues.h"

namespace kinetoscope::import::source {

/// A problem with the end of a text.
struct SourceIssue {
    trace::Issue issue = trace::Issue::ReadError;
    std::string example;
};

class RestartPoints;

/// The text inside of a file, decompressed, from its beginning to its end.
class TextSource {
public:
    TextSource() = default;
    TextSource(const TextSource&) = delete;
    TextSource& operator=(const TextSource&) = delete;
    virtual ~TextSource() = default;

    /// Bytes of text written to `to`; 0 at the end only, and then issue() tells whether the text is
    /// complete.
    [[nodiscard]] virtual std::size_t read(char* to, std::size_t capacity) = 0;
    /// Bytes of the file consumed, for progress.
    [[nodiscard]] virtual std::uint64_t filePosition() const = 0;
    /// Bytes of the file on disk.
    [[nodiscard]] virtual std::uint64_t fileBytes() const = 0;
    /// "gzip", "zstd"; empty for plain text.
    [[nodiscard]] virtual std::string_view compression() const = 0;
    /// The file below; null for a text that is in no file.
    [[nodiscard]] virtual const InputFile* file() const { return nullptr; }
    /// Where reading can start again, once everything has been read; null where the text comes only
    /// once.
    [[nodiscard]] virtual std::unique_ptr<const RestartPoints> restartPoints() const;

    /// Another source of the same text that can go directly to any place of it; null if the text
    /// can only be read from its start.
    [[nodiscard]] virtual std::unique_ptr<TextSource> again() const { return nullptr; }
    /// Another source for a thread that reads what lies a little ahead of this one; null where only
    /// one thread can read. Elsewhere, and too far ahead, it may find nothing.
    [[nodiscard]] virtual std::unique_ptr<TextSource> along() const { return again(); }
    /// Goes to a place of the text; false, and nothing happens, where neither again() nor along()
    /// gives anything.
    virtual bool seek(std::uint64_t /*offset*/) { return false; }
    /// Whether the file is no longer the one that was opened. Never fails.
    [[nodiscard]] virtual bool changed() const { return false; }

    [[nodiscard]] const std::optional<SourceIssue>& issue() const { return m_issue; }

protected:
    /// Whether this much of a compressed text is more than expansionLimit() allows for its file;
    /// the text ends there, and issue() says why.
    [[nodiscard]] bool expandsTooFar(std::uint64_t textBytes);
    void setIssue(trace::Issue issue, std::string example) {
        m_issue = SourceIssue{issue, std::move(example)};
    }

private:
    std::optional<SourceIssue> m_issue;
};

/// A source that continues in the middle of a text.
struct Restart {
    std::unique_ptr<TextSource> source;
    std::uint64_t textPosition = 0;
};

/// Where the reading of a file's text can begin.
class RestartPoints {
public:
    RestartPoints() = default;
    RestartPoints(const RestartPoints&) = delete;
    RestartPoints& operator=(const RestartPoints&) = delete;
    virtual ~RestartPoints() = default;

    /// A source at the last such place at or before `offset` of the text.
    [[nodiscard]] virtual Restart before(std::uint64_t offset,
                                         std::shared_ptr<const InputFile> file) const = 0;
    /// Whether there are such places all over the text.
    [[nodiscard]] virtual bool everywhere() const { return true; }
};

}  // namespace kinetoscope::import::source
