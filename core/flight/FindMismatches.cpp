// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/flight/FindStuck.h"

namespace kinetoscope::flight {

namespace {

// Which sides of a call have the same amount on all ranks. NCCL counts elements: shapes may differ.
struct SameSides {
    bool inputs = false;
    bool outputs = false;
};

SameSides sameSides(std::string_view kind) {
    const auto has = [&](std::string_view word) {
        return kind.find(word) != std::string_view::npos;
    };
    if (has("all_gather") || has("allgather")) {
        return {.outputs = true};  // the ranks' own parts may be uneven
    }
    if (has("reduce_scatter")) {
        return {.inputs = true};
    }
    // Of these each rank may give and get another amount.
    if (has("all_to_all") || has("alltoall") || has("gather") || has("scatter") ||
        has("coalesced")) {
        return {};
    }
    return {.inputs = true, .outputs = true};
}

std::string amountText(const Tensors& tensors) {
    return fmt::format("{} elements", tensors.elements());
}

std::string typesText(const Dump& dump, const Tensors& tensors) {
    std::set<std::string_view> types;
    for (const NameId type : tensors.types) {
        types.insert(dump.name(type));
    }
    std::string text;
    for (const std::string_view type : types) {
        text += text.empty() ? type : ", " + std::string(type);
    }
    return text;
}

class Finder {
public:
    Finder(const FlightJob& job, std::size_t group) : m_job(job), m_group(group) {}

    void compare(std::int64_t number, std::vector<Mismatch>& found) {
        m_parts = {};
        std::string kind;
        for (const Member& member : m_job.groups[m_group].members) {
            const Dump& dump = m_job.dumps[member.dump];
            const auto calls = callsAt(member, dump, number);
            if (!calls.empty()) {
                kind = dump.name(dump.entries[calls.back()].kind);
                take(member.dump, calls);
            }
        }
        for (const Difference difference : {Difference::Kind, Difference::Type, Difference::Size}) {
            const auto& parts = m_parts[static_cast<std::size_t>(difference)];
            if (parts.size() < 2) {
                continue;
            }
            Mismatch mismatch{m_group, number, kind, difference, {}};
            for (const auto& [value, dumps] : parts) {
                mismatch.parts.push_back({value, dumps});
            }
            std::ranges::stable_sort(mismatch.parts, std::ranges::greater{},
                                     [](const Mismatch::Part& part) { return part.dumps.size(); });
            found.push_back(std::move(mismatch));
            if (difference == Difference::Kind) {
                break;  // what differs in kind differs in everything
            }
        }
    }

private:
    void take(std::size_t dumpIndex, std::span<const std::size_t> calls) {
        const Dump& dump = m_job.dumps[dumpIndex];
        std::string kinds;
        std::string types;
        std::string sizes;
        bool comparable = true;
        for (const std::size_t i : calls) {
            const Entry& entry = dump.entries[i];
            const std::string_view kind = dump.name(entry.kind);
            kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
            const Tensors& inputs = dump.tensors[entry.inputs];
            const Tensors& outputs = dump.tensors[entry.outputs];
            const SameSides sides = sameSides(kind);
            comparable = comparable && !inputs.types.empty() && !outputs.types.empty();
            types += (types.empty() ? "" : "; ") + typesText(dump, inputs);
            if (sides.inputs || sides.outputs) {
                sizes += (sizes.empty() ? "" : "; ") + amountText(sides.inputs ? inputs : outputs);
            }
        }
        const auto add = [&](Difference difference, const std::string& value) {
            m_parts[static_cast<std::size_t>(difference)][value].push_back(dumpIndex);
        };
        add(Difference::Kind, kinds);
        if (comparable) {
            add(Difference::Type, types);
            if (!sizes.empty()) {
                add(Difference::Size, sizes);
            }
        }
    }

    const FlightJob& m_job;
    std::size_t m_group;
    std::array<std::map<std::string, std::vector<std::size_t>>, 3> m_parts;
};

}  // namespace

std::vector<Mismatch> findMismatches(const FlightJob& job) {
    std::vector<Mismatch> found;
    for (std::size_t g = 0; g < job.groups.size(); ++g) {
        std::set<std::int64_t> numbers;
        for (const Member& member : job.groups[g].members) {
            for (const std::size_t i : member.collectives) {
                numbers.insert(job.dumps[member.dump].entries[i].number);
            }
        }
        Finder finder(job, g);
        for (const std::int64_t number : numbers) {
            if (number >= 0) {
                finder.compare(number, found);
            }
        }
    }
    return found;
}

}  // namespace kinetoscope::flight
