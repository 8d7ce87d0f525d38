// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/DatabaseFile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/base/TemporaryFiles.h"

namespace kinetoscope::import::database {

namespace {

std::uint32_t bigEndian(const unsigned char* at, int bytes) {
    std::uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) {
        value = value << 8U | at[i];
    }
    return value;
}

// The size of the database by its header; 0 if that does not tell.
std::uint64_t statedBytes(const source::InputFile& file) {
    std::array<unsigned char, 100> header{};
    if (file.read(reinterpret_cast<char*>(header.data()), header.size(), 0) !=
        static_cast<std::int64_t>(header.size())) {
        return 0;
    }
    const std::uint32_t page = bigEndian(&header[16], 2);
    const bool isCurrent = bigEndian(&header[24], 4) == bigEndian(&header[92], 4);
    const std::uint64_t pageBytes = page == 1 ? 65536 : page;
    return isCurrent ? pageBytes * bigEndian(&header[28], 4) : 0;
}

// SQLite opens no file that is shorter than its header says. The missing part reads as zeros, which
// are not pages, so that everything before the cut can be read.
class FileBytes final : public sqlite::DatabaseBytes {
public:
    FileBytes(std::shared_ptr<const source::InputFile> file, std::uint64_t missing)
        : m_file(std::move(file)), m_size(m_file->identity().bytes + missing) {}

    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    [[nodiscard]] std::uint64_t readable() const override { return m_file->identity().bytes; }
    [[nodiscard]] std::int64_t read(char* to, std::size_t capacity,
                                    std::uint64_t offset) const override {
        return m_file->read(to, capacity, offset);
    }

private:
    std::shared_ptr<const source::InputFile> m_file;
    std::uint64_t m_size;
};

bool writeAll(int descriptor, const char* from, std::size_t count) {
    while (count > 0) {
        const ssize_t written = ::write(descriptor, from, count);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        from += std::max<ssize_t>(written, 0);
        count -= static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
    return true;
}

}  // namespace

Result<std::shared_ptr<const DatabaseFile>> DatabaseFile::open(ImportInput& input) {
    std::shared_ptr<DatabaseFile> opened(new DatabaseFile);
    opened->m_path = input.path;
    const source::TextSource& text = input.text.source();
    if (text.file() != nullptr && text.compression().empty()) {
        opened->m_path = text.file()->path();
        opened->m_identity = text.file()->identity();
        opened->readLog();
    } else if (auto unpacked = opened->unpack(input); !unpacked) {
        return tl::unexpected(unpacked.error());
    }
    const auto file = opened->file();
    if (!file) {
        return tl::unexpected(file.error());
    }
    // A header that lies must not make SQLite look for pages in all of a file's possible places.
    constexpr std::uint64_t kMaxMissing = std::uint64_t{1} << 40U;
    const std::uint64_t stated = opened->m_log ? 0 : statedBytes(**file);
    if (stated > opened->bytes() && stated < kMaxMissing) {
        opened->m_missingBytes = stated - opened->bytes();
    }
    return opened;
}

Result<void> DatabaseFile::unpack(ImportInput& input) {
    std::string path;
    const int descriptor = openUniqueFile(temporaryFolder() + "/kscope-", path);
    bool written = descriptor >= 0;
    const char* at = input.text.begin();
    do {
        const auto count = static_cast<std::size_t>(input.text.end() - at);
        written = written && writeAll(descriptor, at, count);
        at = input.text.end();
    } while (written && input.text.more(at));
    const int error = errno;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    auto file = source::InputFile::open(path);
    ::unlink(path.c_str());
    releaseTemporaryFile(path);
    if (input.text.stopped()) {
        return fail("loading was cancelled", ErrorKind::Cancelled);
    }
    if (!written) {
        return fail(fmt::format("'{}': cannot be unpacked into {}: {}; set TMPDIR to a folder with "
                                "more room",
                                input.path, temporaryFolder(), std::strerror(error)),
                    ErrorKind::Output);
    }
    if (!file) {
        return tl::unexpected(file.error());
    }
    m_identity = (*file)->identity();
    m_unpacked = std::move(*file);
    return {};
}

void DatabaseFile::readLog() {
    const auto database = file();
    const auto log = source::InputFile::open(logPath());
    if (database && log) {
        m_log = sqlite::WriteAheadLog::read(FileBytes(*log, 0), FileBytes(*database, 0));
        m_logIdentity = (*log)->identity();
    }
}

Result<std::shared_ptr<const source::InputFile>> DatabaseFile::file() const {
    return m_unpacked ? m_unpacked : source::InputFile::reopen(m_path, m_identity);
}

Result<std::shared_ptr<const sqlite::DatabaseBytes>> DatabaseFile::content() const {
    auto opened = file();
    if (!opened) {
        return tl::unexpected(opened.error());
    }
    auto database = std::make_shared<FileBytes>(std::move(*opened), m_missingBytes);
    if (!m_log) {
        return database;
    }
    auto log = source::InputFile::reopen(logPath(), m_logIdentity);
    if (!log) {
        return tl::unexpected(log.error());
    }
    return sqlite::WriteAheadLog::apply(m_log, std::make_shared<FileBytes>(std::move(*log), 0),
                                        std::move(database));
}

Result<sqlite::Database> DatabaseFile::connect(const std::stop_token& stop) const {
    auto bytes = content();
    if (!bytes) {
        return tl::unexpected(bytes.error());
    }
    return sqlite::Database::openForeign(std::move(*bytes), m_path, {stop, {}});
}

bool DatabaseFile::changed() const {
    return !content();
}

}  // namespace kinetoscope::import::database
