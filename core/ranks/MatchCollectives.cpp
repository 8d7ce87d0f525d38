// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/MatchCollectives.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "core/ranks/parts/AlignSequences.h"

namespace kinetoscope::ranks {

namespace {

// The calls of one rank in one group, by start.
struct Line {
    std::uint32_t record = 0;
    std::vector<std::uint32_t> calls;
};

// Name, members and, of groups with neither, their size.
using GroupKey = std::tuple<std::string, std::vector<std::int64_t>, std::int64_t>;

GroupKey keyOf(const ProcessGroup& group) {
    return {group.name, group.members, group.isUnknown() ? group.size : -1};
}

// Distinguishes calls of one place in the program from others, by their step among others. Ranks
// may give and get different amounts in an all-to-all, and each its own in an uneven gather.
std::uint64_t shapeOf(const CollectiveCall& call) {
    const std::hash<std::string> hash;
    std::uint64_t shape = hash(call.kind) * 31 + hash(call.type);
    shape = shape * 31 + static_cast<std::uint64_t>(call.launchedInStep);
    if (!call.kind.starts_with("all_to_all") && !call.kind.starts_with("alltoall") &&
        !call.kind.ends_with('v')) {
        shape = shape * 31 + static_cast<std::uint64_t>(call.inElements);
    }
    return shape;
}

class Matcher {
public:
    explicit Matcher(const std::vector<RankRecord>& records) : m_records(records) {}

    Matching match() {
        divide();
        for (const auto& [key, lines] : m_groups) {
            const std::int64_t size = std::get<std::int64_t>(key);
            // The members of indistinguishable groups are unknown.
            if (size < 0 || std::cmp_less_equal(lines.size(), size)) {
                matchGroup(lines);
            }
        }
        matchMessages();
        std::ranges::sort(m_matching.collectives, {}, [&](const Collective& collective) {
            const CollectiveCall& first = callOf(collective.members.front());
            return std::tuple(first.span.start, collective.members.front().record,
                              collective.members.front().call);
        });
        m_matching.unmatched = m_calls - m_matching.matched;
        return std::move(m_matching);
    }

private:
    [[nodiscard]] const CollectiveCall& callOf(Member member) const {
        return m_records[member.record].collectives[member.call];
    }

    [[nodiscard]] const std::string& nameOfGroup(Member member) const {
        return m_records[member.record].groupOf(callOf(member)).name;
    }

    void divide() {
        for (std::uint32_t r = 0; r < m_records.size(); ++r) {
            const std::vector<CollectiveCall>& calls = m_records[r].collectives;
            m_calls += calls.size();
            std::vector<std::vector<Line>*> groups;
            for (const ProcessGroup& group : m_records[r].groups) {
                groups.push_back(&m_groups[keyOf(group)]);
            }
            for (std::uint32_t c = 0; c < calls.size(); ++c) {
                if (calls[c].pointToPoint) {
                    addMessage({r, c});
                    continue;
                }
                std::vector<Line>& lines = *groups[calls[c].group];
                if (lines.empty() || lines.back().record != r) {
                    lines.push_back({r, {}});
                }
                lines.back().calls.push_back(c);
            }
        }
    }

    void addMessage(Member member) {
        const CollectiveCall& call = callOf(member);
        const std::int64_t own = m_records[member.record].rank;
        const bool sends = call.kind.starts_with("send");
        if (call.peer >= 0) {
            const std::int64_t from = sends ? own : call.peer;
            const std::int64_t to = sends ? call.peer : own;
            auto& [sent, received] = m_messages[{nameOfGroup(member), from, to}];
            (sends ? sent : received).push_back(member);
        }
    }

    void add(std::vector<Member> members) {
        // A message is called what its sender does.
        const auto sender = std::ranges::find_if(
            members, [&](Member member) { return callOf(member).kind.starts_with("send"); });
        const Member first = members.front();
        const Member named = sender == members.end() ? first : *sender;
        std::uint64_t bytes = 0;
        for (const Member member : members) {
            bytes = std::max(bytes, callOf(member).bytes);
        }
        m_matching.matched += members.size();
        m_matching.collectives.push_back({.group = nameOfGroup(first),
                                          .kind = callOf(named).kind,
                                          .bytes = bytes,
                                          .members = std::move(members)});
    }

    void matchGroup(const std::vector<Line>& lines) {
        if (lines.empty()) {
            return;  // only messages go through it
        }
        const bool numbered = std::ranges::all_of(lines, [&](const Line& line) {
            return std::ranges::all_of(line.calls, [&](std::uint32_t call) {
                return callOf({line.record, call}).sequence.has_value();
            });
        });
        numbered ? matchNumbers(lines) : matchShapes(inProgramOrder(lines));
    }

    // On streams beside each other they may start in another order on each rank.
    [[nodiscard]] std::vector<Line> inProgramOrder(std::vector<Line> lines) const {
        for (Line& line : lines) {
            std::ranges::stable_sort(line.calls, {}, [&](std::uint32_t call) {
                return callOf({line.record, call}).launched;
            });
        }
        return lines;
    }

    void matchNumbers(const std::vector<Line>& lines) {
        std::map<std::pair<std::int64_t, std::string>, std::vector<Member>> calls;
        for (const Line& line : lines) {
            for (const std::uint32_t call : line.calls) {
                const CollectiveCall& found = callOf({line.record, call});
                std::vector<Member>& members = calls[{*found.sequence, found.kind}];
                // Several kernels of one number: the first stands for them.
                if (members.empty() || members.back().record != line.record) {
                    members.push_back({line.record, call});
                }
            }
        }
        for (auto& [key, members] : calls) {
            if (members.size() > 1) {
                add(std::move(members));
            }
        }
    }

    // The longest line is what the others are aligned with.
    void matchShapes(const std::vector<Line>& lines) {
        const auto longest =
            std::ranges::max_element(lines, {}, [](const Line& line) { return line.calls.size(); });
        const std::vector<std::uint64_t> shapes = shapesOf(*longest);
        std::vector<std::vector<Member>> found(shapes.size());
        for (const Line& line : lines) {
            if (&line == &*longest) {
                for (std::size_t i = 0; i < shapes.size(); ++i) {
                    found[i].push_back({line.record, line.calls[i]});
                }
                continue;
            }
            for (const auto& [at, own] : parts::alignSequences(shapes, shapesOf(line))) {
                found[at].push_back({line.record, line.calls[own]});
            }
        }
        for (std::vector<Member>& members : found) {
            if (members.size() > 1) {
                add(std::move(members));
            }
        }
    }

    [[nodiscard]] std::vector<std::uint64_t> shapesOf(const Line& line) const {
        std::vector<std::uint64_t> shapes;
        shapes.reserve(line.calls.size());
        for (const std::uint32_t call : line.calls) {
            shapes.push_back(shapeOf(callOf({line.record, call})));
        }
        return shapes;
    }

    void matchMessages() {
        for (const auto& [key, ends] : m_messages) {
            const auto& [sent, received] = ends;
            for (std::size_t i = 0; i < std::min(sent.size(), received.size()); ++i) {
                std::vector members{sent[i], received[i]};
                if (sent[i].record == received[i].record) {
                    continue;
                }
                std::ranges::sort(members, {}, &Member::record);
                add(std::move(members));
            }
        }
    }

    const std::vector<RankRecord>& m_records;
    std::map<GroupKey, std::vector<Line>> m_groups;
    std::map<std::tuple<std::string, std::int64_t, std::int64_t>,
             std::pair<std::vector<Member>, std::vector<Member>>>
        m_messages;
    std::uint64_t m_calls = 0;
    Matching m_matching;
};

}  // namespace

Matching matchCollectives(const std::vector<RankRecord>& records) {
    return Matcher(records).match();
}

}  // namespace kinetoscope::ranks
