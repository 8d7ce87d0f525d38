// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/flight/FlightTables.h"
#include "core/flight/FlightText.h"
#include "core/json/Json.h"

namespace kinetoscope::flight {

namespace {

using Json = nlohmann::ordered_json;

Json numberOrNull(std::int64_t value) {
    return value < 0 ? Json() : Json(value);
}

Json tensorsJson(const Dump& dump, const Tensors& tensors) {
    Json types = Json::array();
    for (const NameId type : tensors.types) {
        types.push_back(std::string(dump.name(type)));
    }
    return {{"sizes", tensors.sizes}, {"types", std::move(types)}};
}

Json callJson(const FlightJob& job, Call call) {
    const Dump& dump = job.dumps[call.dump];
    const Entry& entry = job.entry(call);
    Json frames = Json::array();
    for (const Frame& frame : dump.stacks[entry.stack]) {
        frames.push_back({{"function", std::string(dump.name(frame.function))},
                          {"file", std::string(dump.name(frame.file))},
                          {"line", frame.line}});
    }
    return {{"record", numberOrNull(entry.record)},
            {"number", entry.pointToPoint ? Json() : numberOrNull(entry.number)},
            {"operation", std::string(dump.name(entry.kind))},
            {"source", numberOrNull(entry.source)},
            {"target", numberOrNull(entry.target)},
            {"state", stateName(entry.state)},
            {"created_ns", entry.createdNs},
            {"inputs", tensorsJson(dump, dump.tensors[entry.inputs])},
            {"outputs", tensorsJson(dump, dump.tensors[entry.outputs])},
            {"frames", std::move(frames)}};
}

Json callsJson(const FlightJob& job, const std::vector<Call>& calls) {
    Json json = Json::array();
    for (const Call call : calls) {
        json.push_back({{"rank", job.dumps[call.dump].rank}, {"call", callJson(job, call)}});
    }
    return json;
}

Json ranksJson(const FlightJob& job, const std::vector<std::size_t>& dumps) {
    Json json = Json::array();
    for (const std::size_t dump : dumps) {
        json.push_back(job.dumps[dump].rank);
    }
    return json;
}

Json stuckJson(const FlightJob& job, const Stuck& stuck) {
    Json absent = Json::array();
    for (const std::size_t dump : stuck.absent) {
        const auto& members = job.groups[stuck.group].members;
        const auto member = std::ranges::find(members, dump, &Member::dump);
        const auto last = member == members.end() ? std::nullopt : lastCall(job, *member);
        absent.push_back(
            {{"rank", job.dumps[dump].rank}, {"last_call", last ? callJson(job, *last) : Json()}});
    }
    const Call first = stuck.waiting.front();
    return {{"group", job.groups[stuck.group].name},
            {"description", job.groups[stuck.group].description},
            {"operation", std::string(job.dumps[first.dump].name(job.entry(first).kind))},
            {"number", numberOrNull(stuck.number)},
            {"why", whyName(stuck.why)},
            {"text", stuckText(job, stuck)},
            {"waiting", callsJson(job, stuck.waiting)},
            {"absent", std::move(absent)},
            {"completed", callsJson(job, stuck.finished)},
            {"no_longer_told", ranksJson(job, stuck.passed)},
            {"no_dump", stuck.noDump},
            {"queued_behind", stuck.queued},
            {"because_of", stuck.because},
            {"because_of_more", stuck.hasMoreCauses},
            {"in_cycle", stuck.inCycle}};
}

Json mismatchJson(const FlightJob& job, const Mismatch& mismatch) {
    Json parts = Json::array();
    for (const Mismatch::Part& part : mismatch.parts) {
        parts.push_back({{"value", part.value}, {"ranks", ranksJson(job, part.dumps)}});
    }
    return {{"group", job.groups[mismatch.group].name},
            {"number", mismatch.number},
            {"operation", mismatch.kind},
            {"difference", differenceName(mismatch.difference)},
            {"text", mismatchText(job, mismatch)},
            {"parts", std::move(parts)}};
}

Json groupJson(const FlightJob& job, const Group& group) {
    Json members = Json::array();
    for (const Member& member : group.members) {
        const auto last = lastCall(job, member);
        members.push_back({{"rank", job.dumps[member.dump].rank},
                           {"first_number", numberOrNull(member.first)},
                           {"last_number", numberOrNull(member.last)},
                           {"calls", member.collectives.size() + member.messages.size()},
                           {"last_call", last ? callJson(job, *last) : Json()}});
    }
    return {{"name", group.name},       {"description", group.description},
            {"ranks", group.ranks},     {"ranks_known", group.ranksKnown},
            {"missing", group.missing}, {"members", std::move(members)}};
}

}  // namespace

std::string flightJson(const FlightJob& job) {
    Json json{{"schema", "kinetoscope.flight/1"}, {"ranks", Json::array()},
              {"missing", job.missing},           {"unread", Json::array()},
              {"stuck", Json::array()},           {"mismatches", Json::array()},
              {"groups", Json::array()}};
    json["cannot_tell"] =
        job.stuck.empty() && !undecidedText(job).empty() ? Json(nothingText(job)) : Json();
    for (const Dump& dump : job.dumps) {
        json["ranks"].push_back({{"rank", dump.rank},
                                 {"file", dump.file},
                                 {"version", dump.version},
                                 {"calls", dump.entries.size()},
                                 {"from_the_start", dump.fromTheStart()}});
    }
    for (const UnreadDump& dump : job.unread) {
        json["unread"].push_back({{"file", dump.file}, {"reason", dump.reason}});
    }
    for (const Stuck& stuck : job.stuck) {
        json["stuck"].push_back(stuckJson(job, stuck));
    }
    for (const Mismatch& mismatch : job.mismatches) {
        json["mismatches"].push_back(mismatchJson(job, mismatch));
    }
    for (const Group& group : job.groups) {
        json["groups"].push_back(groupJson(job, group));
    }
    return json::safeJson(json::jsonText(json)) + "\n";
}

}  // namespace kinetoscope::flight
