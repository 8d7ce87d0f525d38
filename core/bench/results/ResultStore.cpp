// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ResultStore.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/base/UserFolders.h"
#include "core/bench/results/JsonParts.h"
#include "core/metrics/SourceFolder.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::bench::results {

namespace fs = std::filesystem;

namespace {

// "2026-11-20T23:28:05Z" gives "20261120-232805".
std::string idOf(const std::string& created) {
    std::string id;
    for (const char c : created) {
        if (c >= '0' && c <= '9') {
            id += c;
        } else if (c == 'T') {
            id += '-';
        }
    }
    return id.empty() ? "result" : id;
}

// "20261120-232805-11" is the 11th of "20261120-232805"; one without a number is the first.
std::pair<std::string_view, std::uint64_t> timeAndNumber(std::string_view id) {
    const std::string_view time = id.substr(0, id.rfind('-'));
    const std::string_view digits = id.substr(std::min(time.size() + 1, id.size()));
    const bool isDate = time.find_first_not_of("0123456789") == std::string_view::npos;
    std::uint64_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto [read, error] = std::from_chars(digits.data(), end, number);
    return isDate || digits.empty() || error != std::errc() || read != end
               ? std::pair(id, std::uint64_t{1})
               : std::pair(time, number);
}

bool isBefore(const std::string& a, const std::string& b) {
    const auto one = timeAndNumber(a);
    const auto other = timeAndNumber(b);
    return one == other ? a < b : one < other;
}

}  // namespace

Result<std::string> readResultFile(const std::string& path) {
    return metrics::readSmallFile(path, json::kMaxJsonBytes);
}

std::string ResultStore::defaultFolder() {
    if (std::string chosen = environment("KINETOSCOPE_RESULTS"); !chosen.empty()) {
        return chosen;
    }
    return userDataFolder() + "/results";
}

std::string ResultStore::path(const std::string& id) const {
    return (fs::path(m_folder) / (id + ".json")).string();
}

Result<std::string> ResultStore::saveText(const std::string& created,
                                          const std::string& text) const {
    std::error_code error;
    fs::create_directories(m_folder, error);
    if (error) {
        return fail(fmt::format("'{}': cannot create this folder: {}", m_folder, error.message()),
                    ErrorKind::Output);
    }
    const std::string base = idOf(created);
    auto file = text::OutputFile::create((fs::path(m_folder) / base).string());
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (auto done = file->write(text); !done) {
        return tl::unexpected(done.error());
    }
    std::string id = base;
    for (int next = 2;; ++next) {
        const auto named = file->commitNew(path(id));
        if (!named) {
            return tl::unexpected(named.error());
        }
        if (*named) {
            return id;
        }
        id = fmt::format("{}-{}", base, next);
    }
}

Result<void> ResultStore::replace(const std::string& id, const std::string& text) const {
    return text::writeFile(path(id), text);
}

std::string ResultStore::problem() const {
    std::error_code error;
    if (fs::status(m_folder, error).type() == fs::file_type::not_found) {
        return {};
    }
    fs::directory_iterator it(m_folder, error);
    for (const fs::directory_iterator end; !error && it != end;) {
        it.increment(error);
    }
    return error ? fmt::format("'{}': the saved results cannot be read: {}", m_folder,
                               error.message())
                 : std::string();
}

std::vector<std::string> ResultStore::ids() const {
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator it(m_folder, error), end; it != end && !error;
         it.increment(error)) {
        if (it->path().extension() == ".json") {
            found.push_back(it->path().stem().string());
        }
    }
    std::ranges::sort(found, isBefore);
    return found;
}

std::vector<StoredResult> ResultStore::list() const {
    std::vector<StoredResult> results;
    for (const std::string& id : ids()) {
        StoredResult result;
        result.id = id;
        const auto found = readText(id);
        const auto document = found ? parseResult(found->text) : tl::unexpected(found.error());
        if (!document) {
            result.problem = document.error().message;
        } else {
            result.kind = found->kind;
            result.created = document->created;
            result.method = document->method;
            result.gpu = document->gpu.name;
            result.kernels = document->items.size();
        }
        results.push_back(std::move(result));
    }
    return results;
}

Result<std::string> ResultStore::resolve(const std::string& id) const {
    const auto known = ids();
    if (auto unreadable = problem(); !unreadable.empty()) {
        return fail(std::move(unreadable));
    }
    if (known.empty()) {
        return fail(fmt::format("'{}': holds no results", m_folder));
    }
    if (id == "last") {
        return known.back();
    }
    std::vector<std::string> fitting;
    for (const std::string& candidate : known) {
        if (candidate == id) {
            return candidate;
        }
        if (!id.empty() && candidate.starts_with(id)) {
            fitting.push_back(candidate);
        }
    }
    if (fitting.size() == 1) {
        return fitting.front();
    }
    if (!fitting.empty()) {
        return fail(fmt::format("'{}' matches more than one result; give more characters", id));
    }
    return fail(fmt::format("no result '{}'; kscope results list shows them", id));
}

Result<ResultStore::Text> ResultStore::readText(const std::string& id) const {
    auto text = readResultFile(path(id));
    if (!text) {
        return tl::unexpected(text.error());
    }
    const auto json = fields::jsonObject(*text);
    if (!json) {
        return fail(fmt::format("'{}': {}", path(id), json.error().message));
    }
    const auto kind = kindOf(*json);
    if (!kind) {
        return fail(fmt::format("'{}': {}", path(id), kind.error().message));
    }
    return Text{id, kindName(*kind), std::move(*text)};
}

Result<ResultStore::Text> ResultStore::loadText(const std::string& id) const {
    const auto resolved = resolve(id);
    return resolved ? readText(*resolved) : tl::unexpected(resolved.error());
}

Result<void> ResultStore::remove(const std::string& id) const {
    const auto resolved = resolve(id);
    if (!resolved) {
        return tl::unexpected(resolved.error());
    }
    std::error_code error;
    if (!fs::remove(path(*resolved), error) || error) {
        return fail(fmt::format("'{}': cannot be removed: {}", path(*resolved), error.message()),
                    ErrorKind::Output);
    }
    return {};
}

}  // namespace kinetoscope::bench::results
