// SPDX-License-Identifier: Apache-2.0
#include "core/capture/SessionText.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <iterator>

#include "core/capture/RecordOptions.h"

namespace kinetoscope::capture {

namespace {

// Bytes of the well-formed UTF-8 character beyond ASCII that `text` begins with; 0 if it is none.
std::size_t wideCharacter(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 0 || first > 0xf4 || text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) {
            return 0;
        }
    }
    // Neither overlong nor a surrogate nor beyond U+10FFFF.
    const unsigned char second = byte(1);
    const bool good = (first != 0xe0 || second >= 0xa0) && (first != 0xed || second < 0xa0) &&
                      (first != 0xf0 || second >= 0x90) && (first != 0xf4 || second < 0x90);
    return good ? length : 0;
}

std::string quoted(std::string_view text) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string result = "\"";
    while (!text.empty()) {
        const char c = text.front();
        const auto byte = static_cast<unsigned char>(c);
        const std::size_t wide = wideCharacter(text);
        if (wide > 0) {
            result += text.substr(0, wide);
        } else if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (byte < 0x20 || byte >= 0x7f) {
            // Bytes of any other encoding survive as Latin-1.
            result += "\\u00";
            result += kDigits[byte >> 4U];
            result += kDigits[byte & 15U];
        } else {
            result += c;
        }
        text.remove_prefix(std::max<std::size_t>(wide, 1));
    }
    return result + '"';
}

std::string programName() {
    std::array<char, 4096> path{};
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    const std::string_view whole(path.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    const std::size_t slash = whole.rfind('/');
    return whole.empty() ? "program" : std::string(whole.substr(slash + 1));
}

std::string commandLine() {
    std::ifstream file("/proc/self/cmdline");
    std::string text(std::istreambuf_iterator<char>(file), {});
    while (!text.empty() && text.back() == '\0') {
        text.pop_back();
    }
    std::ranges::replace(text, '\0', ' ');
    return text;
}

std::string hostName() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

class Object {
public:
    Object& add(std::string_view key, std::string_view text) { return raw(key, quoted(text)); }
    Object& add(std::string_view key, std::int64_t value) {
        return raw(key, std::to_string(value));
    }
    [[nodiscard]] std::string text() const { return m_text + "}"; }

private:
    Object& raw(std::string_view key, const std::string& value) {
        m_text += m_text.size() > 1 ? ", " : "";
        m_text += quoted(key) + ": " + value;
        return *this;
    }
    std::string m_text = "{";
};

std::int64_t whole(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

}  // namespace

// Of a few tries the quickest is the best.
void readClocks(HeaderFields& fields) {
    const auto now = [](clockid_t clock) {
        timespec time{};
        ::clock_gettime(clock, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
               static_cast<std::uint64_t>(time.tv_nsec);
    };
    std::uint64_t best = ~std::uint64_t{0};
    for (int attempt = 0; attempt < 8; ++attempt) {
        const std::uint64_t before = now(CLOCK_MONOTONIC);
        const std::uint64_t real = now(CLOCK_REALTIME);
        const std::uint64_t after = now(CLOCK_MONOTONIC);
        if (after - before < best) {
            best = after - before;
            fields.monotonicNs = before + best / 2;
            fields.realtimeNs = real;
        }
    }
}

std::string headerText(const HeaderFields& fields) {
    const bool own = fields.program.empty();
    const ProcessRanks ranks = own ? ranksFromEnvironment() : ProcessRanks();
    return Object()
        .add("version", std::int64_t{1})
        .add("pid", ::getpid())
        .add("parent_pid", ::getppid())
        .add("program", own ? programName() : fields.program)
        .add("command", own ? commandLine() : fields.command)
        .add("host", hostName())
        .add("rank", ranks.rank)
        .add("local_rank", ranks.localRank)
        .add("world_size", ranks.worldSize)
        .add("level", fields.level)
        .add("cupti_version", fields.cuptiVersion)
        .add("cupti_path", fields.cuptiPath)
        .add("driver_version", fields.driverVersion)
        .add("monotonic_ns", whole(fields.monotonicNs))
        .add("realtime_ns", whole(fields.realtimeNs))
        .text();
}

std::string noteText(std::string_view name, std::string_view text, std::uint64_t count, bool loss) {
    return Object()
        .add("name", name)
        .add("text", text)
        .add("count", whole(count))
        .add("loss", loss ? 1 : 0)
        .text();
}

std::string footerText(std::uint64_t records, std::uint64_t buffers) {
    return Object().add("records", whole(records)).add("buffers", whole(buffers)).text();
}

std::string captureFileName(std::uint64_t startedNs) {
    const std::int64_t rank = ranksFromEnvironment().rank;
    return programName() + "." + (rank >= 0 ? "rank" + std::to_string(rank) + "." : "") +
           std::to_string(::getpid()) + "." + std::to_string(startedNs / 1'000'000) + ".kscope";
}

std::string processText() {
    return programName() + " (process " + std::to_string(::getpid()) + ")";
}

std::string libraryText(std::string_view path) {
    if (path.empty()) {
        return "another library";
    }
    const std::string name(path.substr(path.rfind('/') + 1));
    return name.starts_with("libtorch") ? "torch.profiler (" + name + ")" : name;
}

}  // namespace kinetoscope::capture
