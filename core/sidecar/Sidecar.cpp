// SPDX-License-Identifier: Apache-2.0
#include "core/sidecar/Sidecar.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <thread>
#include <tuple>

#include "core/base/Threads.h"
#include "core/json/Json.h"
#include "core/sidecar/SessionFields.h"
#include "core/sidecar/SmallFile.h"
#include "core/text/OutputFile.h"
#include "core/text/Printable.h"

namespace kinetoscope::sidecar {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".kinetoscope";
constexpr std::string_view kAnySidecar = "kinetoscope.sidecar/";
constexpr const char* kRun = "run";
constexpr const char* kWallMs = "wall_ms";
constexpr const char* kRuns = "runs";
constexpr const char* kName = "name";
constexpr const char* kNotes = "notes";
constexpr const char* kStartNs = "start_ns";
constexpr const char* kEndNs = "end_ns";
constexpr const char* kText = "text";

tl::unexpected<Error> unusableSidecar(const std::string& path, std::string_view why) {
    return fail(fmt::format("'{}': {}; move it away to start a new one", path, why));
}

// An empty document if there is no file.
Result<Json> readDocument(const std::string& path) {
    auto text = readSmallFile(path, kMaxSidecarBytes);
    if (!text) {
        return unusableSidecar(path, text.error().message);
    }
    if (!*text) {
        return Result<Json>(tl::in_place, Json{{"schema", kSidecarSchema}});
    }
    auto document = json::parseJsonObject(**text);
    if (!document) {
        return unusableSidecar(path, document.error().message);
    }
    const auto schema = document->find("schema");
    if (schema == document->end() || !schema->is_string()) {
        return unusableSidecar(path, "does not say what it is (schema)");
    }
    const auto& version = schema->get_ref<const std::string&>();
    if (version != kSidecarSchema) {
        return unusableSidecar(path, version.starts_with(kAnySidecar)
                                         ? "was written by another version of Kinetoscope"
                                         : "is not a Kinetoscope sidecar");
    }
    return document;
}

// Why the member is wrong; empty when it is taken, or not there.
std::string takeWall(const Json& run, EnteredRun& entered) {
    const auto found = run.find(kWallMs);
    if (found == run.end()) {
        return {};
    }
    const double wallMs = found->is_number() ? found->get<double>() : 0.0;
    if (!(wallMs >= analysis::kMinWallMs && wallMs <= analysis::kMaxWallMs)) {
        return fmt::format("has a {} that is not a number from {:g} to {:g}", kWallMs,
                           analysis::kMinWallMs, analysis::kMaxWallMs);
    }
    entered.wallMs = wallMs;
    return {};
}

std::string takeRuns(const Json& run, EnteredRun& entered) {
    const auto found = run.find(kRuns);
    if (found == run.end()) {
        return {};
    }
    const std::uint64_t runs = found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
    if (runs < 1 || runs > analysis::kMaxRuns) {
        return fmt::format("has a number of {} that is not from 1 to {}", kRuns,
                           analysis::kMaxRuns);
    }
    entered.runs = runs;
    return {};
}

std::string takeName(const Json& run, EnteredRun& entered) {
    const auto found = run.find(kName);
    if (found == run.end()) {
        return {};
    }
    if (!found->is_string() || found->get_ref<const std::string&>().size() > kMaxNameBytes) {
        return fmt::format("has a {} that is not a text of at most {} bytes", kName, kMaxNameBytes);
    }
    entered.name = text::printable(found->get_ref<const std::string&>());
    return {};
}

Result<EnteredRun> runOf(const Json& document, const std::string& path) {
    EnteredRun entered;
    const auto run = document.find(kRun);
    if (run == document.end()) {
        return entered;
    }
    if (!run->is_object()) {
        return unusableSidecar(path, "has a run that is not an object");
    }
    for (const auto take : {takeWall, takeRuns, takeName}) {
        if (const std::string why = take(*run, entered); !why.empty()) {
            return unusableSidecar(path, why);
        }
    }
    return entered;
}

// What else is in the document stays.
void putRun(Json& document, const EnteredRun& entered) {
    Json& run = document[kRun];
    if (run.is_null()) {
        run = Json::object();
    }
    const auto put = [&run](const char* key, Json value, bool isThere) {
        run.erase(key);
        if (isThere) {
            run[key] = std::move(value);
        }
    };
    put(kWallMs, entered.wallMs.value_or(0.0), entered.wallMs.has_value());
    put(kRuns, entered.runs.value_or(0), entered.runs.has_value());
    put(kName, entered.name, !entered.name.empty());
    if (run.empty()) {
        document.erase(kRun);
    }
}

std::optional<TimeNs> noteTime(const Json& note, const char* key) {
    const auto found = note.find(key);
    return found == note.end() ? std::nullopt : timeOf(*found);
}

std::optional<Note> noteOf(const Json& element) {
    if (!element.is_object()) {
        return std::nullopt;
    }
    const auto start = noteTime(element, kStartNs);
    const auto end = noteTime(element, kEndNs);
    const auto text = element.find(kText);
    if (!start || !end || *end < *start || text == element.end() || !text->is_string() ||
        text->get_ref<const std::string&>().size() > kMaxNoteBytes) {
        return std::nullopt;
    }
    return Note{{*start, *end}, text::printable(text->get_ref<const std::string&>())};
}

Result<std::vector<Note>> notesOf(const Json& document, const std::string& path) {
    std::vector<Note> notes;
    const auto found = document.find(kNotes);
    if (found == document.end()) {
        return notes;
    }
    if (!found->is_array()) {
        return unusableSidecar(path, "has notes that are not an array");
    }
    for (const Json& element : *found) {
        auto note = noteOf(element);
        if (!note) {
            return unusableSidecar(
                path, fmt::format("has a note ({}) without a {} and {} in whole "
                                  "nanoseconds or a {} of at most {} bytes",
                                  notes.size(), kStartNs, kEndNs, kText, kMaxNoteBytes));
        }
        notes.push_back(std::move(*note));
    }
    return notes;
}

// Existing ones keep their other members.
void putNotes(Json& document, const std::vector<Note>& notes) {
    std::map<std::tuple<TimeNs, TimeNs, std::string>, std::vector<Json>> known;
    for (const Json& element : document.value(kNotes, Json::array())) {
        if (const auto note = noteOf(element)) {
            known[{note->span.start, note->span.end, note->text}].push_back(element);
        }
    }
    Json all = Json::array();
    for (const Note& note : notes) {
        auto& same = known[{note.span.start, note.span.end, note.text}];
        if (!same.empty()) {
            all.push_back(std::move(same.back()));
            same.pop_back();
        } else {
            all.push_back(
                {{kStartNs, note.span.start}, {kEndNs, note.span.end}, {kText, note.text}});
        }
    }
    document.erase(kNotes);
    if (!all.empty()) {
        document[kNotes] = std::move(all);
    }
}

Result<Sidecar> sidecarOf(const Json& document, const std::string& path) {
    auto run = runOf(document, path);
    if (!run) {
        return tl::unexpected(run.error());
    }
    auto notes = notesOf(document, path);
    if (!notes) {
        return tl::unexpected(notes.error());
    }
    return Sidecar{std::move(*run), std::move(*notes)};
}

/// Locks the sidecars of a folder against other processes, as long as it lives. If that is not
/// possible, or the lock is held for a second, it goes on without.
class FolderLock {
public:
    explicit FolderLock(const std::string& path) {
        const std::string folder = fs::path(path).parent_path().string();
        m_descriptor =
            ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        constexpr int kTries = 100;
        constexpr auto kPause = std::chrono::milliseconds(10);
        for (int i = 0; m_descriptor >= 0 && i < kTries; ++i) {
            if (::flock(m_descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
                return;
            }
            std::this_thread::sleep_for(kPause);
        }
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    ~FolderLock() {
        if (m_descriptor >= 0) {
            ::close(m_descriptor);
        }
    }

private:
    int m_descriptor = -1;
};

Result<void> removeFile(const std::string& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) {
        return fail(fmt::format("'{}': cannot be removed: {}", path, std::strerror(errno)),
                    ErrorKind::Output);
    }
    return {};
}

}  // namespace

std::string sidecarPath(const std::string& trace) {
    std::error_code none;
    const fs::path path(trace);
    return fs::is_directory(path, none) ? (path / "trace").string() + std::string(kSuffix)
                                        : trace + std::string(kSuffix);
}

Result<Sidecar> readSidecar(const std::string& trace) {
    return guarded([&]() -> Result<Sidecar> {
        const std::string path = sidecarPath(trace);
        const auto document = readDocument(path);
        if (!document) {
            return tl::unexpected(document.error());
        }
        return sidecarOf(*document, path);
    });
}

Result<Sidecar> changeSidecar(const std::string& trace,
                              const std::function<void(Sidecar&)>& change) {
    return guarded([&]() -> Result<Sidecar> {
        const std::string path = sidecarPath(trace);
        const FolderLock lock(path);
        auto document = readDocument(path);
        if (!document) {
            return tl::unexpected(document.error());
        }
        auto known = sidecarOf(*document, path);
        if (!known) {
            return known;
        }
        Sidecar changed = *known;
        change(changed);
        if (changed == *known) {
            return known;
        }
        putRun(*document, changed.run);
        putNotes(*document, changed.notes);
        const std::string text = json::jsonText(*document, 2) + "\n";
        if (text.size() > kMaxSidecarBytes) {
            return fail(fmt::format("'{}': cannot hold more than {} KiB; delete some notes", path,
                                    kMaxSidecarBytes >> 10U),
                        ErrorKind::Output);
        }
        const auto written = document->size() == 1 ? removeFile(path) : text::writeFile(path, text);
        return written.map([&] { return changed; });
    });
}

analysis::CompatOptions compatOptions(const EnteredRun& run) {
    analysis::CompatOptions options;
    options.wallMs = run.wallMs;
    options.runs = run.runs.value_or(options.runs);
    options.name = run.name.empty() ? options.name : run.name;
    return options;
}

}  // namespace kinetoscope::sidecar
