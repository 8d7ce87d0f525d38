// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/BaselineStore.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <tuple>

#include "core/base/ContentHash.h"
#include "core/base/UserFolders.h"
#include "core/baseline/StoreFolders.h"
#include "core/sidecar/SmallFile.h"
#include "core/text/OutputFile.h"
#include "core/text/Printable.h"

namespace kinetoscope::baseline {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEntryFile = "entry.json";
constexpr std::size_t kMaxEntryBytes = 64U << 20;
constexpr std::size_t kCopiedBytes = 1U << 20;

Result<void> checkName(const std::string& name) {
    if (!isPlainName(name)) {
        return fail(
            fmt::format("'{}' is not a name of a baseline; use letters, digits, '.', '_' "
                        "and '-', up to 128 of them and no '.' in front",
                        text::printable(name)));
    }
    return {};
}

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

// Readable or not: by its name or what it holds, as a store may lie among other folders.
bool isEntryFolder(const std::string& folder) {
    constexpr std::size_t kHashDigits = 16;
    const std::size_t dash = folder.rfind('-');
    const std::string hash = dash == std::string::npos ? "" : folder.substr(dash + 1);
    std::error_code error;
    return (hash.size() == kHashDigits &&
            hash.find_first_not_of("0123456789abcdef") == std::string::npos) ||
           fs::exists(folder + "/" + kEntryFile, error);
}

Result<std::vector<std::string>> entryFoldersIn(const std::string& folder) {
    auto ids = foldersIn(folder);
    if (ids) {
        std::erase_if(*ids,
                      [&](const std::string& id) { return !isEntryFolder(folder + "/" + id); });
    }
    return ids;
}

Result<std::string> chooseId(const std::vector<std::string>& ids, const std::string& id,
                             const std::string& name) {
    if (std::ranges::find(ids, id) != ids.end()) {
        return id;
    }
    std::vector<std::string> fitting;
    std::ranges::copy_if(ids, std::back_inserter(fitting), [&](const std::string& candidate) {
        return !id.empty() && candidate.starts_with(id);
    });
    if (fitting.size() > 1) {
        return fail(fmt::format("'{}' matches more than one entry of {}; give more characters",
                                text::printable(id), name));
    }
    if (fitting.empty()) {
        return fail(fmt::format("no entry '{}' of {}; kscope baseline show {} lists them",
                                text::printable(id), name, name));
    }
    return fitting.front();
}

// Of the entries with these contents the one that can be read. Damaged ones are removed; one of
// another version is an error.
Result<std::optional<std::string>> keepReadable(const std::string& store, const std::string& name,
                                                const std::string& hash) {
    const std::string folder = store + "/" + name;
    const auto ids = foldersIn(folder);
    std::vector<std::string> damaged;
    for (const std::string& id : ids ? *ids : std::vector<std::string>()) {
        if (!id.ends_with(hash)) {
            continue;
        }
        const std::string path = fmt::format("{}/{}", folder, id);
        const auto entry = readEntry(path, name, id);
        if (entry) {
            return id;
        }
        const auto text = sidecar::readSmallFile(path + "/" + kEntryFile, kMaxEntryBytes);
        if (!text || (*text && isOfOtherSchema(**text))) {
            return tl::unexpected(entry.error());
        }
        damaged.push_back(path);
    }
    for (const std::string& path : damaged) {
        if (auto removed = removeFolder(store, path); !removed) {
            return tl::unexpected(removed.error());
        }
    }
    return std::nullopt;
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
    std::vector<std::string> ids;
    std::ranges::transform(all->entries, std::back_inserter(ids), &Entry::id);
    const auto chosen = chooseId(ids, id, name);
    if (!chosen) {
        return tl::unexpected(chosen.error());
    }
    return std::move(*std::ranges::find(all->entries, *chosen, &Entry::id));
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
    const std::string id = fmt::format("{}-{}", timeOf(entry.recorded), hash.text());
    if (const auto done = text::writeFile(making.path() + "/" + kEntryFile, entryJson(entry));
        !done) {
        return tl::unexpected(done.error());
    }
    if (auto made = makeFolder(folder); !made) {
        return tl::unexpected(made.error());
    }
    const auto known = keepReadable(m_folder, name, hash.text());
    if (!known) {
        return tl::unexpected(known.error());
    }
    if (*known) {
        return Saved{**known, false};
    }
    return making.giveName(folder + "/" + id).map([&id](bool isNew) { return Saved{id, isNew}; });
}

Result<void> BaselineStore::remove(const std::string& name, const std::string& id) const {
    if (const auto good = checkName(name); !good) {
        return tl::unexpected(good.error());
    }
    const std::string folder = m_folder + "/" + name;
    const auto ids = entryFoldersIn(folder);
    if (!ids) {
        return tl::unexpected(ids.error());
    }
    // The last one is that of the entries that say when they were recorded.
    const auto found = id == "last" || ids->empty()
                           ? entry(name, id).map([](const Entry& last) { return last.id; })
                           : chooseId(*ids, id, name);
    return found ? removeFolder(m_folder, folder + "/" + *found) : tl::unexpected(found.error());
}

Result<void> BaselineStore::removeAll(const std::string& name) const {
    if (const auto good = checkName(name); !good) {
        return tl::unexpected(good.error());
    }
    const auto ids = entryFoldersIn(m_folder + "/" + name);
    if (!ids) {
        return tl::unexpected(ids.error());
    }
    if (ids->empty()) {
        return entries(name).map([](const Entries&) {});
    }
    return removeFolder(m_folder, m_folder + "/" + name);
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
