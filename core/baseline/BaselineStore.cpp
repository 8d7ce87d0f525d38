// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/BaselineStore.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "core/base/ContentHash.h"
#include "core/base/TemporaryFiles.h"
#include "core/base/UserFolders.h"
#include "core/sidecar/SmallFile.h"
#include "core/text/OutputFile.h"
#include "core/text/Printable.h"

namespace kinetoscope::baseline {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEntryFile = "entry.json";
constexpr const char* kSaving = ".saving-";
constexpr const char* kRemoving = ".removing-";
constexpr std::size_t kMaxEntryBytes = 64U << 20;
constexpr std::size_t kCopiedBytes = 1U << 20;

tl::unexpected<Error> storeError(const std::string& path, const std::string& what, int code,
                                 ErrorKind kind = ErrorKind::Output) {
    return fail(fmt::format("'{}': {}: {}", text::printable(path), what, std::strerror(code)),
                kind);
}

Result<void> checkName(const std::string& name) {
    if (!isPlainName(name)) {
        return fail(
            fmt::format("'{}' is not a name of a baseline; use letters, digits, '.', '_' "
                        "and '-', up to 128 of them and no '.' in front",
                        text::printable(name)));
    }
    return {};
}

/// A folder that is removed unless it was given its name.
class FolderInMaking {
public:
    explicit FolderInMaking(const std::string& in) : m_path(makeUniqueFolder(in + "/" + kSaving)) {}
    FolderInMaking(const FolderInMaking&) = delete;
    FolderInMaking& operator=(const FolderInMaking&) = delete;
    ~FolderInMaking() {
        std::error_code error;
        if (!m_path.empty()) {
            fs::remove_all(m_path, error);
        }
    }
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// False when something has the name; it is whole then, as this one is.
    [[nodiscard]] Result<bool> giveName(const std::string& name) {
        // Others may read it, as far as the process's mask allows.
        const mode_t mask = ::umask(0);
        ::umask(mask);
        ::chmod(m_path.c_str(), 0777U & ~mask);
        if (std::rename(m_path.c_str(), name.c_str()) == 0) {
            m_path.clear();
            return true;
        }
        if (errno == EEXIST || errno == ENOTEMPTY) {
            return false;
        }
        return storeError(name, "cannot be made", errno);
    }

private:
    std::string m_path;
};

// "1-bert.json.gz" of the first run "/tmp/bert.json.gz".
std::string fileName(std::size_t number, const RunSource& source) {
    std::string name = fs::path(source.from).filename().string();
    std::ranges::replace_if(
        name, [](char c) { return !isPlainCharacter(c); }, '_');
    constexpr std::size_t kMost = 100;  // its kind is at the end of the document
    name = name.size() > kMost ? name.substr(name.size() - kMost) : name;
    return fmt::format("{}-{}{}", number, name.empty() ? "run" : name,
                       source.text && !name.ends_with(".json") ? ".json" : "");
}

Result<std::uint64_t> copyInto(const std::string& target, const RunSource& source,
                               ContentHash& hash) {
    auto file = text::OutputFile::create(target);
    if (!file) {
        return tl::unexpected(file.error());
    }
    const auto put = [&](std::string_view bytes) {
        hash.add(bytes);
        return file->write(bytes);
    };
    if (source.text) {
        if (const auto done = put(*source.text); !done) {
            return tl::unexpected(done.error());
        }
    } else {
        std::ifstream in(source.from, std::ios::binary);
        std::string block(kCopiedBytes, '\0');
        while (in) {
            in.read(block.data(), static_cast<std::streamsize>(block.size()));
            const auto count = static_cast<std::size_t>(in.gcount());
            if (const auto done = put(std::string_view(block).substr(0, count)); !done) {
                return tl::unexpected(done.error());
            }
        }
        if (!in.eof()) {
            return storeError(source.from, "cannot be read", errno, ErrorKind::BadInput);
        }
    }
    const std::uint64_t bytes = file->written();
    if (const auto done = file->commit(); !done) {
        return tl::unexpected(done.error());
    }
    return bytes;
}

// "2026-11-20T23:28:05Z" is "20261120-232805".
std::string timeOf(const std::string& recorded) {
    std::string digits;
    for (const char c : recorded) {
        if (c >= '0' && c <= '9') {
            digits += c;
        } else if (c == 'T') {
            digits += '-';
        }
    }
    return digits;
}

/// Names of our folders in there; those starting with "." are being made or removed.
Result<std::vector<std::string>> foldersIn(const std::string& path) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator it(path, error);
    if (error == std::errc::no_such_file_or_directory) {
        return names;
    }
    for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        std::error_code unknown;
        if (isPlainName(name) && it->is_directory(unknown)) {
            names.push_back(name);
        }
    }
    if (error) {
        return storeError(path, "cannot be read", error.value(), ErrorKind::BadInput);
    }
    std::ranges::sort(names);
    return names;
}

Result<Entry> readEntry(const std::string& folder, const std::string& name, const std::string& id) {
    const std::string path = folder + "/" + kEntryFile;
    const auto text = sidecar::readSmallFile(path, kMaxEntryBytes);
    if (!text || !*text) {
        return fail(fmt::format("'{}': {}", text::printable(path),
                                text ? "does not exist" : text.error().message));
    }
    auto entry = parseEntry(**text);
    if (!entry) {
        return fail(fmt::format("'{}': {}", text::printable(path), entry.error().message));
    }
    entry->name = name;
    entry->id = id;
    return entry;
}

// Under a name of its own first, so that no reader sees half of it.
Result<void> removeFolder(const std::string& store, const fs::path& path) {
    const std::string doomed = makeUniqueFolder(store + "/" + kRemoving);
    if (doomed.empty() || std::rename(path.c_str(), doomed.c_str()) != 0) {
        const int code = errno;
        std::error_code unknown;
        fs::remove(doomed, unknown);
        return storeError(path.string(), "cannot be removed", code);
    }
    std::error_code error;
    fs::remove_all(doomed, error);
    return error ? storeError(doomed, "cannot be removed", error.value()) : Result<void>();
}

Result<void> makeFolder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    return error ? storeError(path, "cannot be made", error.value()) : Result<void>();
}

// Of savings and removals that were ended half-way. A day is longer than any takes.
void removeLeftovers(const std::string& store) {
    std::error_code error;
    fs::directory_iterator it(store, error);
    const auto dayAgo = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        std::error_code unknown;
        if ((name.starts_with(kSaving) || name.starts_with(kRemoving)) &&
            it->last_write_time(unknown) < dayAgo && !unknown) {
            fs::remove_all(it->path(), unknown);
        }
    }
}

}  // namespace

std::string BaselineStore::defaultFolder() {
    std::string chosen = environment("KINETOSCOPE_STORE");
    return chosen.empty() ? userDataFolder() + "/baselines" : chosen;
}

Result<std::vector<std::string>> BaselineStore::names() const {
    return foldersIn(m_folder);
}

Result<BaselineStore::Entries> BaselineStore::entries(const std::string& name) const {
    if (const auto good = checkName(name); !good) {
        return tl::unexpected(good.error());
    }
    const std::string folder = m_folder + "/" + name;
    const auto ids = foldersIn(folder);
    if (!ids) {
        return tl::unexpected(ids.error());
    }
    Entries found;
    for (const std::string& id : *ids) {
        auto entry = readEntry(fmt::format("{}/{}", folder, id), name, id);
        if (entry) {
            found.entries.push_back(std::move(*entry));
        } else {
            found.problems.push_back(entry.error().message);
        }
    }
    if (found.entries.empty()) {
        return fail(found.problems.empty()
                        ? fmt::format("no baseline '{}' in '{}'; kscope baseline list shows all "
                                      "baselines, kscope baseline save creates one",
                                      name, text::printable(m_folder))
                        : found.problems.front());
    }
    std::ranges::sort(found.entries, {},
                      [](const Entry& entry) { return std::tie(entry.recorded, entry.id); });
    return found;
}

Result<Entry> BaselineStore::entry(const std::string& name, const std::string& id) const {
    auto all = entries(name);
    if (!all) {
        return tl::unexpected(all.error());
    }
    if (id == "last") {
        return all->entries.back();
    }
    const Entry* found = nullptr;
    for (const Entry& entry : all->entries) {
        if (entry.id == id || (!id.empty() && entry.id.starts_with(id))) {
            if (found != nullptr && found->id != id) {
                return fail(
                    fmt::format("'{}' matches more than one entry of {}; give more characters",
                                text::printable(id), name));
            }
            found = &entry;
        }
    }
    if (found == nullptr) {
        return fail(fmt::format("no entry '{}' of {}; kscope baseline show {} lists them",
                                text::printable(id), name, name));
    }
    return *found;
}

Result<BaselineStore::Saved> BaselineStore::save(const std::string& name,
                                                 const LoadedRuns& runs) const {
    if (const auto good = checkName(name); !good) {
        return tl::unexpected(good.error());
    }
    const std::string folder = m_folder + "/" + name;
    if (auto made = makeFolder(m_folder); !made) {
        return tl::unexpected(made.error());
    }
    removeLeftovers(m_folder);
    FolderInMaking making(m_folder);
    if (making.path().empty()) {
        return storeError(m_folder, "cannot be written to", errno);
    }
    Entry entry = runs.entry;
    ContentHash hash;
    for (const RunSource& source : runs.sources) {
        StoredFile file{fileName(entry.files.size() + 1, source), source.from, 0};
        const auto bytes = copyInto(making.path() + "/" + file.name, source, hash);
        if (!bytes) {
            return tl::unexpected(bytes.error());
        }
        file.bytes = *bytes;
        entry.files.push_back(std::move(file));
    }
    const auto known = foldersIn(folder);
    for (const std::string& id : known ? *known : std::vector<std::string>()) {
        if (id.ends_with(hash.text())) {
            return Saved{id, false};
        }
    }
    const std::string id = fmt::format("{}-{}", timeOf(entry.recorded), hash.text());
    if (const auto done = text::writeFile(making.path() + "/" + kEntryFile, entryJson(entry));
        !done) {
        return tl::unexpected(done.error());
    }
    if (auto made = makeFolder(folder); !made) {
        return tl::unexpected(made.error());
    }
    return making.giveName(folder + "/" + id).map([&id](bool isNew) { return Saved{id, isNew}; });
}

Result<void> BaselineStore::remove(const std::string& name, const std::string& id) const {
    const auto found = entry(name, id);
    if (!found) {
        return tl::unexpected(found.error());
    }
    return removeFolder(m_folder, fs::path(m_folder) / name / found->id);
}

Result<void> BaselineStore::removeAll(const std::string& name) const {
    if (const auto found = entries(name); !found) {
        return tl::unexpected(found.error());
    }
    return removeFolder(m_folder, fs::path(m_folder) / name);
}

std::vector<std::string> BaselineStore::places(const Entry& entry) const {
    std::vector<std::string> paths;
    paths.reserve(entry.files.size());
    for (const StoredFile& file : entry.files) {
        paths.push_back((fs::path(m_folder) / entry.name / entry.id / file.name).string());
    }
    return paths;
}

Result<std::vector<std::string>> BaselineStore::files(const Entry& entry) const {
    std::vector<std::string> paths = places(entry);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::uint64_t wanted = entry.files[i].bytes;
        std::error_code error;
        const std::uintmax_t bytes = fs::file_size(paths[i], error);
        if (error || bytes != wanted) {
            return fail(fmt::format(
                "'{}': is not as it was saved: {}; if the store is in git, fetch all of it (git "
                "lfs "
                "pull)",
                text::printable(paths[i]),
                error ? error.message() : fmt::format("{} bytes instead of {}", bytes, wanted)));
        }
    }
    return paths;
}

}  // namespace kinetoscope::baseline
