// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "core/json/Json.h"
#include "core/ranks/JobTables.h"
#include "core/ranks/JobText.h"
#include "core/ranks/Links.h"

namespace kinetoscope::ranks {

namespace {

using Json = nlohmann::ordered_json;

// A wrong number in a file must not become a list of many times its size.
std::span<const std::int64_t> firstOf(const std::vector<std::int64_t>& missing) {
    constexpr std::size_t kMaxListed = 4096;
    return std::span(missing).first(std::min(missing.size(), kMaxListed));
}

Json idleJson(const analysis::IdleTime& idle) {
    Json json;
    for (const analysis::IdleReason reason : analysis::kIdleReasons) {
        json[std::string(analysis::idleReasonName(reason)) + "_ns"] = idle.of(reason);
    }
    return json;
}

Json rankJson(const Job& job, std::size_t r, TimeNs suffered, TimeNs caused) {
    const RankRecord& record = job.records[r];
    const RankClock& clock = job.clocks[r];
    return {{"rank", record.rank},
            {"file", record.file},
            {"host", record.host},
            {"gpu", record.gpu},
            {"device", record.device},
            {"aligned", clock.aligned},
            {"offset_ns", clock.offsetNs},
            {"residual_ns", clock.residualNs},
            {"drift_ppm", clock.driftPpm()},
            {"busy_ns", record.busyNs},
            {"compute_ns", record.time.computeNs},
            {"exposed_comm_ns", record.time.exposedCommNs},
            {"exposed_copy_ns", record.time.exposedCopyNs},
            {"idle_ns", record.time.idleNs},
            {"idle", idleJson(record.idle)},
            {"waited_ns", suffered},
            {"caused_ns", caused},
            {"step_ns", record.steps.empty() ? Json() : Json(medianStepNs(record))},
            {"complete", record.complete}};
}

Json causeJson(const Job& job, const Cause& cause) {
    return {{"rank", job.records[cause.record].rank},
            {"kind", causeKindName(cause.kind)},
            {"ns", cause.ns()},
            {"blame_ns", cause.blameNs},
            {"detail", cause.detail},
            {"parts",
             {{"host_ns", cause.excess.work.hostNs},
              {"compute_ns", cause.excess.work.computeNs},
              {"device_gaps_ns", cause.excess.work.deviceNs},
              {"copy_ns", cause.excess.work.copyNs},
              {"other_ns", cause.excess.otherGroupNs}}}};
}

Json stepJson(const Job& job, const JobStep& step) {
    Json json{{"number", step.number},
              {"length_ns", Json::array()},
              {"waited_ns", step.blameNs},
              {"pause", step.pause.ns > 0 ? Json{{"ns", step.pause.ns},
                                                 {"before", step.pause.before},
                                                 {"text", pauseText(step)}}
                                          : Json()},
              {"causes", Json::array()}};
    for (const TimeNs length : step.lengthNs) {
        json["length_ns"].push_back(length < 0 ? Json() : Json(length));
    }
    for (const Cause& cause : step.causes) {
        json["causes"].push_back(causeJson(job, cause));
    }
    return json;
}

Json collectiveJson(const Job& job, const Links& links, std::size_t i) {
    const Collective& collective = job.matching.collectives[i];
    const CollectiveWait& wait = job.waits[i];
    Json json{{"group", collective.group},
              {"kind", collective.kind},
              {"bytes", collective.bytes},
              {"step", wait.step},
              {"ranks", Json::array()},
              {"last_rank", job.records[collective.members[wait.last].record].rank},
              {"took_ns", wait.tookNs},
              {"waited_ns", wait.waitedNs},
              {"exposed_wait_ns", wait.exposedNs},
              {"bus_gb_per_s", busBandwidth(collective, wait.tookNs)}};
    const Link link = links.slowest(collective);
    json["link_gb_per_s"] = link.gbPerS > 0.0 ? Json(link.gbPerS) : Json();
    for (const Member member : collective.members) {
        json["ranks"].push_back(job.records[member.record].rank);
    }
    return json;
}

}  // namespace

std::string jobJson(const Job& job) {
    Json json{{"schema", "kinetoscope.ranks/1"},
              {"world_size", job.worldSize},
              {"ranks", Json::array()},
              {"missing", firstOf(job.missing)},
              {"missing_count", job.missing.size()},
              {"lost", Json::array()},
              {"matched", job.matching.matched},
              {"unmatched", job.matching.unmatched},
              {"answers", Json::array()},
              {"cannot_tell", nullptr},
              {"steps", Json::array()},
              {"collectives", Json::array()}};
    if (job.answers.empty() && !job.missing.empty()) {
        json["cannot_tell"] = noAnswerText(job);
    }
    const std::vector<TimeNs> suffered = job.suffered();
    const std::vector<TimeNs> caused = job.caused();
    for (std::size_t r = 0; r < job.records.size(); ++r) {
        json["ranks"].push_back(rankJson(job, r, suffered[r], caused[r]));
    }
    for (const LostFile& file : job.lost) {
        json["lost"].push_back({{"file", file.file}, {"reason", file.reason}});
    }
    for (const Cause& cause : job.answers) {
        Json answer = causeJson(job, cause);
        answer["first_step"] = cause.step;
        answer["last_step"] = cause.lastStep;
        answer["steps"] = cause.steps;
        answer["text"] = answerText(job, cause);
        json["answers"].push_back(std::move(answer));
    }
    for (const JobStep& step : job.steps) {
        json["steps"].push_back(stepJson(job, step));
    }
    const Links links(job.records);
    for (std::size_t i = 0; i < job.waits.size(); ++i) {
        json["collectives"].push_back(collectiveJson(job, links, i));
    }
    return json::safeJson(json::jsonText(json)) + "\n";
}

}  // namespace kinetoscope::ranks
