// SPDX-License-Identifier: Apache-2.0
// Tables of the ranks of a job and of what they did together.
#include <algorithm>
#include <map>
#include <tuple>

#include "core/query/sql/Material.h"
#include "core/query/sql/RowList.h"
#include "core/ranks/CollectiveCalls.h"

namespace kinetoscope::query::sql {

namespace {

Cell number(std::int64_t value) {
    return Cell::of(value);
}

Cell told(std::int64_t value) {
    return Cell::unless(-1, value);
}

// A call's part in what several ranks did together.
struct Part {
    std::size_t collective = 0;
    std::size_t member = 0;
};

const ranks::RankRecord* recordOf(const ranks::Job* job, std::int64_t rank, std::size_t files) {
    if (job == nullptr || (files > 1 && job->records.size() != files)) {
        return nullptr;
    }
    const auto record = files == 1
                            ? job->records.begin()
                            : std::ranges::find(job->records, rank, &ranks::RankRecord::rank);
    return record == job->records.end() ? nullptr : &*record;
}

// The parts of one rank, by start and stream of its calls.
std::map<std::pair<TimeNs, std::int64_t>, Part> partsOf(const ranks::Job& job,
                                                        const ranks::RankRecord& record) {
    const auto row = static_cast<std::uint32_t>(&record - job.records.data());
    std::map<std::pair<TimeNs, std::int64_t>, Part> parts;
    for (std::size_t i = 0; i < job.matching.collectives.size(); ++i) {
        const auto& members = job.matching.collectives[i].members;
        for (std::size_t m = 0; m < members.size(); ++m) {
            if (members[m].record == row) {
                const ranks::CollectiveCall& call = record.collectives[members[m].call];
                parts[{call.span.start, call.stream}] = {i, m};
            }
        }
    }
    return parts;
}

class CollectiveRows {
public:
    CollectiveRows(Material& material, std::size_t file)
        : m_material(material),
          m_file(file),
          m_rows(std::make_unique<RowList>(findTable("collectives")->columns.size())),
          m_job(material.files.size() > 1 ? material.job() : nullptr) {
        m_record = recordOf(m_job, material.files[file].rank, material.files.size());
        if (m_record != nullptr) {
            m_parts = partsOf(*m_job, *m_record);
        }
    }

    std::unique_ptr<Rows> make() {
        FileFacts& facts = m_material.facts(m_file);
        for (const GpuRow& row : facts.timeline().gpus()) {
            std::vector<OperationTime> kernels;
            std::ranges::copy_if(row.operations, std::back_inserter(kernels),
                                 [&](const auto& time) {
                                     return analysis::isCommunication(
                                         facts.trace(), facts.kernelNames(), time.operation);
                                 });
            const auto read =
                ranks::readCollectives(facts.trace(), kernels, facts.links(), m_material.stop);
            for (std::size_t i = 0; read && i < read->calls.size(); ++i) {
                add(row.gpu, kernels[i].operation, read->calls[i],
                    read->groups[read->calls[i].group]);
            }
        }
        return std::move(m_rows);
    }

private:
    void add(std::int32_t gpu, trace::GpuOpId operation, const ranks::CollectiveCall& call,
             const ranks::ProcessGroup& group) {
        const trace::SliceId slice =
            m_material.facts(m_file).trace().gpuOperations()[operation].slice;
        Cell together;
        Cell took;
        Cell waited;
        Cell exposed;
        Cell isLast;
        Cell bandwidth;
        const bool isRecorded = m_record != nullptr && m_record->gpu == gpu;
        const auto part = m_parts.find({call.span.start, call.stream});
        if (isRecorded && part != m_parts.end()) {
            const auto [i, m] = part->second;
            const ranks::CollectiveWait& wait = m_job->waits[i];
            together = number(static_cast<std::int64_t>(i));
            took = number(wait.tookNs);
            waited = number(wait.waitedNs[m]);
            exposed = number(wait.exposedNs[m]);
            isLast = number(std::int64_t{wait.last == m});
            const double rate = ranks::busBandwidth(m_job->matching.collectives[i], wait.tookNs);
            bandwidth = rate > 0.0 ? Cell::of(rate) : Cell();
        }
        m_rows->add({number(wholeId(m_file, slice)), m_rows->keep(call.kind),
                     m_rows->keepIfAny(group.name), m_rows->keepIfAny(call.type),
                     Cell::unless(0, static_cast<std::int64_t>(call.bytes)),
                     call.sequence ? number(*call.sequence) : Cell(), told(call.peer),
                     number(std::int64_t{gpu}), number(call.stream),
                     number(m_material.shown(m_file, call.launched)),
                     number(m_material.shown(m_file, call.span.start)),
                     number(call.span.duration()), number(m_material.shown(m_file, call.span.end)),
                     together, took, waited, exposed, isLast, bandwidth});
    }

    Material& m_material;
    std::size_t m_file;
    std::unique_ptr<RowList> m_rows;
    const ranks::Job* m_job;
    const ranks::RankRecord* m_record = nullptr;
    std::map<std::pair<TimeNs, std::int64_t>, Part> m_parts;
};

std::unique_ptr<Rows> collectives(Material& material, std::size_t file) {
    return CollectiveRows(material, file).make();
}

std::unique_ptr<Rows> rankRows(Material& material, std::size_t /*file*/) {
    auto rows = std::make_unique<RowList>(findTable("ranks")->columns.size());
    const ranks::Job* const job = material.job();
    const std::vector<TimeNs> suffered = job == nullptr ? std::vector<TimeNs>() : job->suffered();
    const std::vector<TimeNs> caused = job == nullptr ? std::vector<TimeNs>() : job->caused();
    for (std::size_t file = 0; file < material.files.size(); ++file) {
        const trace::Trace& trace = material.facts(file).trace();
        const ranks::RankRecord* const record =
            recordOf(job, material.files[file].rank, material.files.size());
        const Cell name = rows->keep(trace.info().path);
        const Cell rank = number(material.files[file].rank);
        const Cell start = number(material.shown(file, trace.extent().start));
        const Cell end = number(material.shown(file, trace.extent().end));
        if (record == nullptr) {
            rows->add({rank, name, Cell(), Cell(), Cell(), Cell(), start, end, Cell(), Cell(),
                       Cell(), Cell(), Cell(), Cell(), Cell(), Cell(), Cell()});
            continue;
        }
        const auto row = static_cast<std::size_t>(record - job->records.data());
        rows->add({rank, name, told(record->worldSize), rows->keepIfAny(record->host),
                   number(std::int64_t{record->gpu}), rows->keepIfAny(record->device), start, end,
                   number(job->clocks[row].offsetNs), number(record->busyNs),
                   number(record->time.computeNs), number(record->time.exposedCommNs),
                   number(record->time.exposedCopyNs), number(record->time.idleNs),
                   number(static_cast<std::int64_t>(record->collectives.size())),
                   number(suffered[row]), number(caused[row])});
    }
    return rows;
}

}  // namespace

std::vector<TableInfo> jobTables() {
    using enum ColumnType;
    TableInfo collectiveTable{
        .name = "collectives",
        .about = "Communication kernels and, for several ranks of a job, who waited in them",
        .columns = {{"id", Integer, "", "slice of the kernel", true, true},
                    {"kind", Text, "", "allreduce, allgather, send, …"},
                    {"process_group", Text, "", "its name, if recorded"},
                    {"type", Text, "", "of the elements"},
                    {"bytes", Integer, "bytes", "of the largest buffer, as counted by nccl-tests"},
                    {"sequence", Integer, "", "Seq, if recorded"},
                    {"peer", Integer, "", "the other rank of a message"},
                    {"gpu", Integer, "", "number of the GPU"},
                    {"stream", Integer, "", "the queue that it ran in"},
                    {"launched", Integer, "ns", "start of the call that launched it"},
                    {"start", Integer, "ns", "arrival of this rank", true},
                    {"dur", Integer, "ns", "from there to the end"},
                    {"end", Integer, "ns", "start + dur"},
                    {"collective", Integer, "",
                     "shared by the calls of all ranks; null: no partner", true, true},
                    {"took", Integer, "ns", "from the last arrival to the end"},
                    {"waited", Integer, "ns", "last arrival minus this rank's"},
                    {"exposed_wait", Integer, "ns",
                     "the part of it in which this rank computed nothing"},
                    {"is_last", Integer, "", "1: the others waited for this rank"},
                    {"bus_gb_s", Real, "GB/s", "bus bandwidth, as defined by nccl-tests"}},
        .usualRows = 1000,
        .make = collectives};
    TableInfo rankTable{
        .name = "ranks",
        .about = "The files, or the ranks of a job; figures are of the GPU that communicates most",
        .columns = {{"rank", Integer, "", "in the job; otherwise the index of the file, from 0",
                     true, true},
                    {"file", Text, "", "path"},
                    {"world_size", Integer, "", "number of ranks of the job, if recorded"},
                    {"host", Text, "", "where it ran, if recorded"},
                    {"gpu", Integer, "", "index of the GPU the figures refer to"},
                    {"device", Text, "", "name of the GPU"},
                    {"start", Integer, "ns", "first event, on the common clock"},
                    {"end", Integer, "ns", "end of the last event"},
                    {"clock_offset", Integer, "ns", "of its clock relative to the lowest rank's"},
                    {"busy", Integer, "ns", "in which the GPU worked"},
                    {"compute", Integer, "ns", "in which it computed"},
                    {"exposed_comm", Integer, "ns", "in which it only communicated"},
                    {"exposed_copy", Integer, "ns", "in which it only copied"},
                    {"idle", Integer, "ns", "in which it did nothing"},
                    {"collectives", Integer, "", "how many calls"},
                    {"waited", Integer, "ns", "exposed waiting for other ranks"},
                    {"kept_waiting", Integer, "ns", "exposed waiting of others for it"}},
        .ofJob = true,
        .usualRows = 8,
        .make = rankRows};
    return {std::move(collectiveTable), std::move(rankTable)};
}

}  // namespace kinetoscope::query::sql
