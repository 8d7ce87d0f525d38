// SPDX-License-Identifier: Apache-2.0
#include "core/sidecar/Sidecar.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/Threads.h"
#include "core/json/Json.h"
#include "core/text/OutputFile.h"
#include "core/text/Printable.h"

namespace kinetoscope::sidecar {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".kinetoscope";
constexpr std::string_view kAnyVersion = "kinetoscope.sidecar/";
constexpr const char* kRun = "run";
constexpr const char* kWallMs = "wall_ms";
constexpr const char* kRuns = "runs";
constexpr const char* kName = "name";

tl::unexpected<Error> unusable(const std::string& path, std::string_view why) {
    return fail(fmt::format("'{}' {}; move it away to begin a new one", path, why));
}

tl::unexpected<Error> unreadable(const std::string& path, int code) {
    return unusable(path, fmt::format("cannot be read: {}", std::strerror(code)));
}

Result<std::string> readAll(const std::string& path, int descriptor, std::size_t bytes) {
    if (bytes > kMaxSidecarBytes) {
        return unusable(path, fmt::format("has more than {} KiB", kMaxSidecarBytes >> 10U));
    }
    std::string text(bytes, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t count = ::read(descriptor, text.data() + size, text.size() - size);
        if (count < 0 && errno != EINTR) {
            return unreadable(path, errno);
        }
        if (count == 0) {
            break;
        }
        size += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    text.resize(size);
    return text;
}

// Nothing where there is no file.
Result<std::optional<std::string>> fileText(const std::string& path) {
    // A pipe without a writer must not make the call wait.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return errno == ENOENT || errno == ENOTDIR ? Result<std::optional<std::string>>()
                                                   : unreadable(path, errno);
    }
    struct stat status {};
    const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    auto text = regular ? readAll(path, descriptor, static_cast<std::size_t>(status.st_size))
                        : unusable(path, "is not a regular file");
    ::close(descriptor);
    return text.map([](std::string& all) { return std::optional(std::move(all)); });
}

// An empty document where there is no file.
Result<Json> readDocument(const std::string& path) {
    auto text = fileText(path);
    if (!text) {
        return tl::unexpected(text.error());
    }
    if (!*text) {
        return Result<Json>(tl::in_place, Json{{"schema", kSidecarSchema}});
    }
    auto document = json::parseJsonObject(**text);
    if (!document) {
        return unusable(path, document.error().message);
    }
    const auto schema = document->find("schema");
    if (schema == document->end() || !schema->is_string()) {
        return unusable(path, "does not say what it is (schema)");
    }
    const auto& version = schema->get_ref<const std::string&>();
    if (version != kSidecarSchema) {
        return unusable(path, version.starts_with(kAnyVersion)
                                  ? "was written by another version of Kinetoscope"
                                  : "is not what Kinetoscope keeps about a trace");
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
        return unusable(path, "has a run that is not an object");
    }
    for (const auto take : {takeWall, takeRuns, takeName}) {
        if (const std::string why = take(*run, entered); !why.empty()) {
            return unusable(path, why);
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

Result<void> removeFile(const std::string& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) {
        return fail(fmt::format("cannot remove {}: {}", path, std::strerror(errno)),
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
        return runOf(*document, path).map([](const EnteredRun& run) { return Sidecar{run}; });
    });
}

Result<void> writeSidecar(const std::string& trace, const Sidecar& sidecar) {
    return guarded([&]() -> Result<void> {
        const std::string path = sidecarPath(trace);
        auto document = readDocument(path);
        if (!document) {
            return tl::unexpected(document.error());
        }
        if (const auto known = runOf(*document, path); !known) {
            return tl::unexpected(known.error());
        }
        putRun(*document, sidecar.run);
        return document->size() == 1 ? removeFile(path)
                                     : text::writeFile(path, json::jsonText(*document, 2) + "\n");
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
