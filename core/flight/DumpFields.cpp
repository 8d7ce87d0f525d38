// SPDX-License-Identifier: Apache-2.0
#include "core/flight/DumpFields.h"

#include <algorithm>
#include <charconv>

namespace kinetoscope::flight {

namespace {

// A dump holds some thousands of entries; lists that name each other could claim any number.
constexpr std::size_t kMaxEntries = 1U << 22U;
constexpr std::size_t kMaxStoredFrames = 1024;
constexpr std::size_t kMaxStoredTensors = 4096;
constexpr std::size_t kMaxDimensions = 64;
constexpr std::size_t kMaxRanks = 1U << 20U;
constexpr std::size_t kMaxName = 4096;

std::span<const pickle::Value> atMost(std::span<const pickle::Value> values, std::size_t most) {
    return values.first(std::min(values.size(), most));
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && at == text.data() + text.size() && !text.empty()
               ? std::optional(value)
               : std::nullopt;
}

// The numbers in "[0, 1, 2]".
std::vector<std::int64_t> numbersIn(std::string_view text) {
    std::vector<std::int64_t> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end && numbers.size() < kMaxRanks) {
        std::int64_t number = 0;
        const auto [next, error] = std::from_chars(at, end, number);
        if (error == std::errc{}) {
            numbers.push_back(number);
            at = next;
        } else {
            ++at;
        }
    }
    return numbers;
}

}  // namespace

std::optional<std::int64_t> DumpFields::integer(Value value) const {
    const auto number = m_document.integer(value);
    return number ? number : wholeNumber(m_document.text(value));
}

std::vector<std::int64_t> DumpFields::ranks(Value value) const {
    std::vector<std::int64_t> found;
    if (value.isSequence()) {
        for (const Value element : atMost(m_document.elements(value), kMaxRanks)) {
            if (const auto rank = integer(element)) {
                found.push_back(*rank);
            }
        }
    } else {
        found = numbersIn(m_document.text(value));
    }
    std::erase_if(found, [](std::int64_t rank) { return rank < 0; });
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
}

std::uint32_t DumpFields::groupNamed(std::string_view name, std::string_view description) {
    const std::string key(name.substr(0, kMaxName));
    const auto [known, isNew] =
        m_groups.emplace(key, static_cast<std::uint32_t>(m_dump.groups.size()));
    if (isNew) {
        m_dump.groups.push_back({key, std::string(description.substr(0, kMaxName)), {}});
    }
    GroupInfo& group = m_dump.groups[known->second];
    if (group.description.empty()) {
        group.description = description.substr(0, kMaxName);
    }
    return known->second;
}

void DumpFields::takeGroups(Value config) {
    for (std::size_t i = 0; i < std::min(m_document.members(config), kMaxRanks); ++i) {
        const auto [key, value] = m_document.member(config, i);
        const Value name = field(value, "name");
        const std::uint32_t group = groupNamed(m_document.text(name.isNone() ? key : name),
                                               m_document.text(field(value, "desc")));
        m_dump.groups[group].ranks = ranks(field(value, "ranks"));
    }
}

// Comes after the entries: they have the names of the groups' numbers.
void DumpFields::takeStatus(Value status) {
    for (std::size_t i = 0; i < std::min(m_document.members(status), kMaxRanks); ++i) {
        const auto [key, value] = m_document.member(status, i);
        const auto group = m_groupIds.find(integerOr(key, -1));
        if (group != m_groupIds.end()) {
            GroupInfo& info = m_dump.groups[group->second];
            info.lastEnqueued = integerOr(field(value, "last_enqueued_collective"), -1);
            info.lastCompleted = integerOr(field(value, "last_completed_collective"), -1);
        }
    }
}

std::uint32_t DumpFields::group(Value dict) {
    const Value id = field(dict, "pg_id");
    const Value group = field(dict, "process_group");
    const std::span<const Value> words = m_document.elements(group);
    std::string name;
    std::string_view description;
    if (!words.empty()) {
        name = m_document.text(words.front());
        description = words.size() > 1 ? m_document.text(words[1]) : "";
    } else if (!m_document.text(group).empty()) {
        name = m_document.text(group);
    } else if (const auto number = integer(id)) {
        name = std::to_string(*number);
    }
    const std::uint32_t index = groupNamed(name, description);
    if (const auto number = integer(id)) {
        m_groupIds.emplace(*number, index);
    }
    return index;
}

std::uint32_t DumpFields::tensors(Value sizes, Value types) {
    Tensors made;
    std::string key;
    for (const Value tensor : atMost(m_document.elements(sizes), kMaxStoredTensors)) {
        std::vector<std::int64_t>& dimensions = made.sizes.emplace_back();
        for (const Value size : atMost(m_document.elements(tensor), kMaxDimensions)) {
            dimensions.push_back(integerOr(size, 0));
            key += std::to_string(dimensions.back()) + ',';
        }
        key += ';';
    }
    for (const Value type : atMost(m_document.elements(types), kMaxStoredTensors)) {
        made.types.push_back(m_dump.names.intern(m_document.text(type).substr(0, kMaxName)));
        key += 't' + std::to_string(made.types.back());
    }
    const auto [known, isNew] =
        m_tensorIds.emplace(key, static_cast<std::uint32_t>(m_dump.tensors.size()));
    if (isNew) {
        m_dump.tensors.push_back(std::move(made));
    }
    return known->second;
}

std::uint32_t DumpFields::stack(Value frames) {
    const std::span<const Value> calls = atMost(m_document.elements(frames), kMaxStoredFrames);
    if (calls.empty()) {
        return 0;
    }
    const auto [known, isNew] =
        m_stacks.emplace(calls.data(), static_cast<std::uint32_t>(m_dump.stacks.size()));
    if (isNew) {
        std::vector<Frame>& stack = m_dump.stacks.emplace_back();
        for (const Value call : calls) {
            const auto text = [&](const char* key) {
                return m_dump.names.intern(m_document.text(field(call, key)).substr(0, kMaxName));
            };
            stack.push_back({text("name"), text("filename"), integerOr(field(call, "line"), 0)});
        }
    }
    return known->second;
}

// "nccl:all_reduce", "nccl:send 0->1", "nccl:recv 1<-0".
void DumpFields::takeKind(Entry& entry, std::string_view profilingName) {
    std::string_view kind = profilingName.substr(0, kMaxName);
    if (const std::size_t colon = kind.find(':'); colon != std::string_view::npos) {
        kind.remove_prefix(colon + 1);
    }
    const std::string_view word = kind.substr(0, kind.find(' '));
    if (word == "send" || word == "recv") {
        entry.pointToPoint = true;
        const std::string_view ends = kind.substr(std::min(word.size() + 1, kind.size()));
        const std::size_t arrow = ends.find(word == "send" ? "->" : "<-");
        if (arrow != std::string_view::npos) {
            const auto first = wholeNumber(ends.substr(0, arrow)).value_or(-1);
            const auto second = wholeNumber(ends.substr(arrow + 2)).value_or(-1);
            entry.source = word == "send" ? first : second;
            entry.target = word == "send" ? second : first;
        }
        kind = word;
    }
    entry.kind = m_dump.names.intern(kind);
}

State DumpFields::state(Value dict, const Entry& entry) const {
    const std::string_view state = m_document.text(field(dict, "state"));
    if (state == "completed" || entry.completedNs > 0) {
        return State::Completed;
    }
    // A call that the watchdog no longer watches, but has not seen end, has timed out.
    if (m_document.integer(field(dict, "retired")).value_or(0) != 0) {
        return State::TimedOut;
    }
    return state == "started" || entry.startedNs > 0 ? State::Started : State::Scheduled;
}

void DumpFields::takeEntry(Value dict) {
    Entry entry;
    entry.record = integerOr(field(dict, "record_id"), -1);
    entry.group = group(dict);
    const Value number = field(dict, "collective_seq_id");
    entry.number = integerOr(number.isNone() ? field(dict, "seq_id") : number, -1);
    entry.pointToPoint = m_document.integer(field(dict, "is_p2p")).value_or(0) != 0;
    takeKind(entry, m_document.text(field(dict, "profiling_name")));
    entry.createdNs = integerOr(field(dict, "time_created_ns"), 0);
    entry.startedNs = integerOr(field(dict, "time_discovered_started_ns"), 0);
    entry.completedNs = integerOr(field(dict, "time_discovered_completed_ns"), 0);
    entry.state = state(dict, entry);
    entry.timeoutMs = integerOr(field(dict, "timeout_ms"), 0);
    entry.inputs = tensors(field(dict, "input_sizes"), field(dict, "input_dtypes"));
    entry.outputs = tensors(field(dict, "output_sizes"), field(dict, "output_dtypes"));
    entry.stack = stack(field(dict, "frames"));
    m_dump.entries.push_back(entry);
}

Result<Dump> DumpFields::take() {
    m_dump.tensors.emplace_back();
    m_tensorIds.emplace("", 0);
    m_dump.stacks.emplace_back();
    const Value root = m_document.root();
    // The first versions wrote the list of entries alone.
    const bool isList = root.isSequence();
    const Value entries = isList ? root : field(root, "entries");
    if (!isList && m_document.members(root) == 0) {
        return fail("is not a dump of the flight recorder: it holds no dict and no list");
    }
    const bool told =
        !isList && (!field(root, "pg_config").isNone() || !field(root, "version").isNone());
    if (!entries.isSequence() && !told) {
        return fail("is not a dump of the flight recorder: it has no 'entries'");
    }
    if (m_document.elements(entries).size() > kMaxEntries) {
        return fail("is not a dump of the flight recorder: it has more entries than one holds");
    }
    m_dump.version = m_document.text(field(root, "version")).substr(0, kMaxName);
    m_dump.rank = integerOr(field(root, "rank"), -1);
    takeGroups(field(root, "pg_config"));
    for (const Value dict : m_document.elements(entries)) {
        if (m_document.members(dict) == 0 || field(dict, "profiling_name").isNone()) {
            return fail("is not a dump of the flight recorder: an entry has no 'profiling_name'");
        }
        takeEntry(dict);
    }
    std::ranges::stable_sort(m_dump.entries, {}, &Entry::record);
    takeStatus(field(root, "pg_status"));
    return std::move(m_dump);
}

}  // namespace kinetoscope::flight
