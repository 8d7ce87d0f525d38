// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/RecordCodec.h"

#include <algorithm>
#include <map>

#include "core/ranks/packed/Varint.h"
#include "core/text/Printable.h"

namespace kinetoscope::ranks {

namespace {

using packed::putVarint;
using packed::takeVarint;
using packed::unzigzag;
using packed::zigzag;

// A hundred days: differences and sums of such times stay far from overflowing.
constexpr TimeNs kLongest = TimeNs{1} << 53;
// Seventy years on either side of 1970.
constexpr TimeNs kFurthest = TimeNs{1} << 61;

constexpr bool isWithin(TimeNs value, TimeNs limit) {
    return -limit <= value && value <= limit;
}

// Both directions are one description, passRecord(): what a writer takes, a reader gives. Times are
// distances from the time before; texts that came before are numbers.
class Limits {
public:
    [[nodiscard]] bool good() const { return m_good; }
    void require(bool holds) { m_good = m_good && holds; }

protected:
    void checkTime(TimeNs time) {
        if (!m_hasFirst) {
            m_hasFirst = true;
            m_first = time;
            require(isWithin(time, kFurthest));
        }
        require(m_good && isWithin(time, kFurthest) && isWithin(time - m_first, kLongest));
    }

    TimeNs m_last = 0;

private:
    TimeNs m_first = 0;
    bool m_hasFirst = false;
    bool m_good = true;
};

class FieldWriter : public Limits {
public:
    [[nodiscard]] std::string take() { return std::move(m_bytes); }

    template <class Integer>
    void number(const Integer& value) {
        putVarint(m_bytes, zigzag(static_cast<std::int64_t>(value)));
    }
    void time(TimeNs value) {
        checkTime(value);
        putVarint(m_bytes, zigzag(good() ? value - m_last : 0));
        m_last = value;
    }
    void text(const std::string& value) {
        const auto [at, added] = m_texts.try_emplace(value, m_texts.size() + 1);
        putVarint(m_bytes, added ? 0 : at->second);
        if (added) {
            putVarint(m_bytes, value.size());
            m_bytes += value;
        }
    }
    template <class List, class Each>
    void list(List& values, Each&& each) {
        putVarint(m_bytes, values.size());
        for (auto& value : values) {
            each(value);
        }
    }
    void times(const PackedTimes& values) {
        putVarint(m_bytes, values.size());
        values.forEach([&](TimeNs value) { time(value); });
    }
    void runs(const WorkRuns& values) {
        putVarint(m_bytes, values.size());
        time(values.extent().start);
        values.forEach([&](TimeSpan span, WorkKind kind) {
            checkTime(span.end);
            putVarint(m_bytes, static_cast<std::uint64_t>(span.duration()) << 3U |
                                   static_cast<std::uint64_t>(kind));
        });
    }

private:
    std::string m_bytes;
    std::map<std::string, std::uint64_t, std::less<>> m_texts;
};

class FieldReader : public Limits {
public:
    explicit FieldReader(std::string_view bytes) : m_rest(bytes) {}

    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }

    template <class Integer>
    void number(Integer& value) {
        const std::int64_t read = unzigzag(next());
        value = static_cast<Integer>(read);
        require(static_cast<std::int64_t>(value) == read);
    }
    void time(TimeNs& value) {
        const std::uint64_t distance = static_cast<std::uint64_t>(unzigzag(next()));
        value = static_cast<TimeNs>(static_cast<std::uint64_t>(m_last) + distance);
        checkTime(value);
        m_last = value;
    }
    void text(std::string& value) {
        const std::uint64_t row = next();
        if (row > 0) {
            require(row <= m_texts.size());
            value = good() ? m_texts[row - 1] : std::string();
            return;
        }
        const std::uint64_t size = next();
        require(size <= m_rest.size());
        if (good()) {
            value = m_rest.substr(0, size);
            m_rest.remove_prefix(size);
            m_texts.push_back(value);
        }
    }
    template <class List, class Each>
    void list(List& values, Each&& each) {
        const std::uint64_t size = next();
        require(size <= m_rest.size());  // each takes a byte at least
        for (std::uint64_t i = 0; i < size && good(); ++i) {
            each(values.emplace_back());
        }
    }
    void times(PackedTimes& values) {
        const std::uint64_t size = next();
        require(size <= m_rest.size());
        for (std::uint64_t i = 0; i < size && good(); ++i) {
            TimeNs value = 0;
            time(value);
            require(values.empty() || value >= values.back());
            if (good()) {
                values.append(value);
            }
        }
    }
    void runs(WorkRuns& values) {
        const std::uint64_t size = next();
        require(size <= m_rest.size());
        TimeNs at = 0;
        time(at);
        for (std::uint64_t i = 0; i < size && good(); ++i) {
            const std::uint64_t run = next();
            const auto ns = static_cast<TimeNs>(run >> 3U);
            require((run & 7U) <= static_cast<std::uint64_t>(WorkKind::Wait) && ns <= kLongest);
            if (good()) {
                values.append(at, static_cast<WorkKind>(run & 7U), ns);
                checkTime(values.extent().end);
            }
        }
    }

private:
    std::uint64_t next() {
        std::uint64_t value = 0;
        require(good() && takeVarint(m_rest, value));
        return good() ? value : 0;
    }

    std::string_view m_rest;
    std::vector<std::string> m_texts;
};

template <class Io>
void passNs(Io& io, TimeNs& ns) {
    io.number(ns);
    io.require(isWithin(ns, kLongest));
}

template <class Io>
void passSpan(Io& io, TimeSpan& span) {
    io.time(span.start);
    io.time(span.end);
    io.require(span.start <= span.end);
}

template <class Io>
void passBreakdown(Io& io, analysis::Breakdown& time) {
    for (TimeNs* ns : {&time.computeNs, &time.exposedCommNs, &time.exposedCopyNs, &time.idleNs}) {
        passNs(io, *ns);
    }
}

template <class Io>
void passIdle(Io& io, analysis::IdleTime& idle) {
    for (TimeNs* ns : {&idle.hostNs, &idle.launchNs, &idle.dependencyNs, &idle.graphNs,
                       &idle.profilerNs, &idle.unknownNs}) {
        passNs(io, *ns);
    }
}

template <class Io>
void passGroup(Io& io, ProcessGroup& group) {
    io.text(group.name);
    io.text(group.description);
    io.list(group.members, [&](std::int64_t& rank) { io.number(rank); });
    io.number(group.size);
}

template <class Io>
void passCall(Io& io, CollectiveCall& call) {
    constexpr std::uint64_t kMaxBytes = 1ULL << 60U;
    passSpan(io, call.span);
    io.time(call.launched);
    io.number(call.step);
    io.number(call.launchedInStep);
    io.number(call.stream);
    io.number(call.group);
    io.text(call.kind);
    io.text(call.type);
    io.number(call.inElements);
    io.number(call.outElements);
    bool numbered = call.sequence.has_value();
    io.number(numbered);
    if (numbered) {
        io.number(call.sequence ? *call.sequence : call.sequence.emplace());
    }
    io.number(call.peer);
    io.number(call.bytes);
    io.require(call.bytes <= kMaxBytes);
    io.number(call.pointToPoint);
}

template <class Io>
void passKernels(Io& io, KernelSum& sum) {
    io.number(sum.name);
    io.number(sum.count);
    passNs(io, sum.sumNs);
}

template <class Io>
void passSegment(Io& io, Segment& segment) {
    passSpan(io, segment.own);
    io.time(segment.release);
    passNs(io, segment.waitedNs);
    io.number(segment.firstOperation);
    io.number(segment.before);
    passNs(io, segment.hostNs);
}

template <class Io>
void passRecord(Io& io, RankRecord& record) {
    io.time(record.extent.start);  // all others lie near it
    io.time(record.extent.end);
    io.number(record.rank);
    io.number(record.worldSize);
    io.text(record.file);
    io.text(record.host);
    io.number(record.baseTimeNs);
    io.require(isWithin(record.baseTimeNs, kFurthest));
    io.number(record.gpu);
    io.text(record.device);
    io.number(record.devicesThere);
    passSpan(io, record.gpuSpan);
    passBreakdown(io, record.time);
    passIdle(io, record.idle);
    passNs(io, record.busyNs);
    io.times(record.work.starts);
    io.runs(record.work.runs);
    io.list(record.groups, [&](ProcessGroup& group) { passGroup(io, group); });
    io.list(record.collectives, [&](CollectiveCall& call) { passCall(io, call); });
    io.list(record.segments, [&](Segment& segment) { passSegment(io, segment); });
    io.list(record.kernels, [&](std::vector<KernelSum>& sums) {
        io.list(sums, [&](KernelSum& sum) { passKernels(io, sum); });
    });
    io.list(record.steps, [&](RankStep& step) {
        io.number(step.number);
        passSpan(io, step.span);
        passBreakdown(io, step.time);
        io.list(step.stalls, [&](HostStall& stall) {
            passNs(io, stall.ns);
            io.number(stall.before);
        });
        passNs(io, step.extra.ns);
        passKernels(io, step.extra.most);
    });
    io.list(record.hostGaps, [&](HostGap& gap) {
        passSpan(io, gap.span);
        io.text(gap.activity);
        io.text(gap.kind);
        io.text(gap.before);
    });
    io.list(record.names, [&](std::string& name) { io.text(name); });
    io.number(record.complete);
}

// Whether all rows point to something and what has an order is in order.
bool isConsistent(const RankRecord& record) {
    const std::size_t calls = record.collectives.size();
    const auto start = [](const auto& each) { return each.span.start; };
    return record.rank >= 0 && record.segments.size() == calls + 1 &&
           record.kernels.size() == calls + 1 &&
           std::ranges::is_sorted(record.collectives, {}, start) &&
           std::ranges::is_sorted(record.steps, {}, start) &&
           std::ranges::is_sorted(record.hostGaps, {}, start) &&
           std::ranges::all_of(
               record.collectives,
               [&](const CollectiveCall& call) { return call.group < record.groups.size(); }) &&
           std::ranges::all_of(record.segments,
                               [&](const Segment& segment) {
                                   return segment.before >= -1 &&
                                          std::cmp_less(segment.before, calls) &&
                                          segment.firstOperation <= record.work.starts.size();
                               }) &&
           std::ranges::all_of(record.steps,
                               [&](const RankStep& step) {
                                   return (step.extra.most.count == 0 ||
                                           step.extra.most.name < record.names.size()) &&
                                          std::ranges::all_of(
                                              step.stalls, [&](const HostStall& stall) {
                                                  return stall.before < record.names.size();
                                              });
                               }) &&
           std::ranges::all_of(record.kernels, [&](const std::vector<KernelSum>& sums) {
               return std::ranges::all_of(
                   sums, [&](const KernelSum& sum) { return sum.name < record.names.size(); });
           });
}

}  // namespace

Result<std::string> encodeRecord(const RankRecord& record) {
    FieldWriter writer;
    // A writer changes nothing of it.
    passRecord(writer, const_cast<RankRecord&>(record));  // NOLINT(*-const-cast)
    if (!writer.good()) {
        return fail("'" + text::printable(record.file) +
                    "': its times lie further apart than a recording can be long");
    }
    return writer.take();
}

Result<RankRecord> decodeRecord(std::string_view bytes) {
    RankRecord record;
    FieldReader reader(bytes);
    passRecord(reader, record);
    if (!reader.good() || !reader.atEnd() || !isConsistent(record)) {
        return fail("holds a rank that cannot be read");
    }
    return record;
}

}  // namespace kinetoscope::ranks
