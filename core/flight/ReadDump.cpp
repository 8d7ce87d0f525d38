// SPDX-License-Identifier: Apache-2.0
#include "core/flight/ReadDump.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "core/base/Threads.h"
#include "core/flight/DumpFields.h"
#include "core/flight/JsonDocument.h"
#include "core/import/source/OpenTextSource.h"
#include "core/import/source/TextBytes.h"
#include "core/json/JsonLimits.h"
#include "core/pickle/ReadPickle.h"
#include "core/text/Format.h"

namespace kinetoscope::flight {

namespace {

constexpr std::array<std::string_view, 8> kKeys{
    "version", "entries",          "pg_config",    "pg_status",
    "rank",    "comm_lib_version", "nccl_version", "nccl_comm_state"};

// First keys of the allocator's snapshots, which are pickles too.
constexpr std::array<std::string_view, 4> kSnapshotKeys{
    "segments", "device_traces", "allocator_settings", "external_annotations"};

// The first text of protocol 0: V and the text, or S and the text in quotes, to the end of the
// line.
std::string_view firstLine(std::string_view pickle) {
    std::size_t at = pickle.find_first_of("VS");
    at = at == std::string_view::npos ? pickle.size() : at + 1;
    std::string_view text = pickle.substr(at, pickle.find('\n', at) - at);
    constexpr std::string_view kQuotes = "'\"";
    while (!text.empty() && kQuotes.find(text.front()) != std::string_view::npos) {
        text.remove_prefix(1);
    }
    while (!text.empty() && kQuotes.find(text.back()) != std::string_view::npos) {
        text.remove_suffix(1);
    }
    return text;
}

/// The first text in a pickle, which of a dict is its first key; empty if there is none near its
/// start.
std::string_view firstText(std::string_view pickle) {
    constexpr std::size_t kSoon = 32;
    if (pickle.starts_with('(')) {
        return firstLine(pickle.substr(0, 2 * kSoon));
    }
    constexpr char kShort = '\x8c';  // SHORT_BINUNICODE: one byte of length
    constexpr char kLong = 'X';      // BINUNICODE: four, the lowest first
    const bool isFramed = pickle.size() > 2 && pickle[2] == '\x95';
    for (std::size_t at = isFramed ? 11 : 2; at + 1 < std::min(pickle.size(), kSoon); ++at) {
        if (pickle[at] == kShort || pickle[at] == kLong) {
            const auto length = static_cast<unsigned char>(pickle[at + 1]);
            const std::size_t begin = at + (pickle[at] == kShort ? 2 : 5);
            return begin < pickle.size() ? pickle.substr(begin, length) : std::string_view();
        }
    }
    return {};
}

std::string_view withoutBlanks(std::string_view text) {
    const std::size_t at = text.find_first_not_of(" \t\r\n");
    return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

Result<pickle::Document> documentOf(import::source::TextSource& source,
                                    const std::stop_token& stop) {
    std::array<char, 2> head{};
    std::size_t there = 0;
    while (there < head.size()) {
        const std::size_t got = source.read(head.data() + there, head.size() - there);
        if (got == 0) {
            break;
        }
        there += got;
    }
    std::string_view begin(head.data(), there);
    if (begin.starts_with('{') || begin.starts_with('[')) {
        std::string text(begin);
        text += import::source::TextBytes(source).take(json::kMaxJsonBytes + 1);
        return readJsonDocument(text);
    }
    const auto read = [&](char* to, std::size_t capacity) {
        if (begin.empty()) {
            return source.read(to, capacity);
        }
        const std::size_t count = std::min(capacity, begin.size());
        std::copy_n(begin.data(), count, to);
        begin.remove_prefix(count);
        return count;
    };
    return pickle::readPickle(read, stop);
}

}  // namespace

std::int64_t Tensors::elements() const {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    std::int64_t sum = 0;
    for (const std::vector<std::int64_t>& tensor : sizes) {
        std::int64_t product = 1;
        for (const std::int64_t size : tensor) {
            if (size < 0 || (size > 0 && product > kMax / size)) {
                return 0;
            }
            product *= size;
        }
        if (product > kMax - sum) {
            return 0;
        }
        sum += product;
    }
    return sum;
}

std::string_view stateName(State state) {
    switch (state) {
        case State::Scheduled:
            return "scheduled";
        case State::Started:
            return "started";
        case State::Completed:
            return "completed";
        case State::TimedOut:
            break;
    }
    return "timed out";
}

bool looksLikeDump(std::string_view head) {
    if (pickle::looksLikePickle(head)) {
        return std::ranges::find(kSnapshotKeys, firstText(head)) == kSnapshotKeys.end();
    }
    head = withoutBlanks(head);
    if (!head.starts_with('{')) {
        return false;
    }
    head = withoutBlanks(head.substr(1));
    if (!head.starts_with('"')) {
        return false;
    }
    const std::string_view key = head.substr(1, head.find('"', 1) - 1);
    return std::ranges::find(kKeys, key) != kKeys.end();
}

std::int64_t rankInName(std::string_view path) {
    std::string name = text::lowered(path.substr(path.find_last_of('/') + 1));
    constexpr std::string_view kDigits = "0123456789";
    std::size_t from = name.rfind("rank");
    from = from == std::string::npos ? from : name.find_first_of(kDigits, from);
    if (from == std::string::npos) {
        const std::size_t last = name.find_last_of(kDigits);
        const std::size_t before = name.find_last_not_of(kDigits, last);
        from = last == std::string::npos ? name.size() : before + 1;
    }
    std::int64_t rank = -1;
    const auto [at, error] = std::from_chars(name.data() + from, name.data() + name.size(), rank);
    return error == std::errc{} ? rank : -1;
}

Result<Dump> dumpOf(const pickle::Document& document) {
    return DumpFields(document).take();
}

Result<Dump> readDump(const std::string& path, const std::stop_token& stop) {
    return guarded(
        [&]() -> Result<Dump> {
            const auto source = import::source::openTextSource(path);
            if (!source) {
                return tl::unexpected(source.error());
            }
            const auto document = documentOf(**source, stop);
            auto dump = document ? dumpOf(*document) : tl::unexpected(document.error());
            if (!dump) {
                return fail(fmt::format("'{}': {}", path, dump.error().message), dump.error().kind);
            }
            dump->file = path;
            if (dump->rank < 0) {
                dump->rank = rankInName(path);
            }
            if (dump->rank < 0) {
                return fail(
                    fmt::format("'{}': has no rank in its name; name it like "
                                "nccl_trace_rank_0",
                                path));
            }
            return dump;
        },
        path);
}

}  // namespace kinetoscope::flight
