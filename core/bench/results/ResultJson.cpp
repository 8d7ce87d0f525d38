// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ResultDocument.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <set>

#include "core/bench/results/JsonParts.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

namespace {

using fields::Json;

constexpr const char* kSchema = "kinetoscope.result/2";
constexpr const char* kFirstSchema = "kinetoscope.result/1";
constexpr std::int64_t kMaxCalls = 1'000'000'000;  // of one input, so that sums stay in range

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

// Every part of a document names its members once, for Writer and Reader.
template <class Visitor, Is<Accuracy> T>
void members(Visitor& visit, T& accuracy);
template <class Visitor, Is<RunnerProfile> T>
void members(Visitor& visit, T& profile);
template <class Visitor, Is<BenchSeries> T>
void members(Visitor& visit, T& series);
template <class Visitor, Is<BenchItem> T>
void members(Visitor& visit, T& item);
template <class Visitor, Is<operators::InputProblem> T>
void members(Visitor& visit, T& problem);
template <class Visitor, Is<LaunchedKernel> T>
void members(Visitor& visit, T& kernel);
template <class Visitor, Is<TracedCall> T>
void members(Visitor& visit, T& traced);
template <class Visitor, Is<LeftOutCall> T>
void members(Visitor& visit, T& call);
template <class Visitor, Is<TraceOrigin> T>
void members(Visitor& visit, T& origin);

// Leaves out what says nothing, unless it is asked for always.
class Writer {
public:
    static constexpr bool kWrites = true;

    explicit Writer(Json& json) : m_json(json) {}

    template <class T>
    void operator()(const char* key, const T& value) {
        if (value != T()) {
            m_json[key] = value;
        }
    }
    void operator()(const char* key, const Json& value) {
        if (!value.empty()) {
            m_json[key] = value;
        }
    }
    template <class T>
    void operator()(const char* key, const std::optional<T>& value) {
        if (!value) {
            return;
        }
        if constexpr (std::is_arithmetic_v<T>) {
            m_json[key] = *value;
        } else {
            m_json[key] = written(*value);
        }
    }
    template <class T>
        requires std::is_class_v<T> && (!std::same_as<T, std::string>)
    void operator()(const char* key, const std::vector<T>& list) {
        if (!list.empty()) {
            always(key, list);
        }
    }
    template <class T>
    void always(const char* key, const T& value) {
        m_json[key] = value;
    }
    template <class T>
        requires std::is_class_v<T> && (!std::same_as<T, std::string>)
    void always(const char* key, const std::vector<T>& list) {
        Json& all = m_json[key] = Json::array();
        for (const T& one : list) {
            all.push_back(written(one));
        }
    }
    void count(const char* key, std::int64_t value, std::int64_t) { (*this)(key, value); }
    void exact(const char* key, std::uint64_t value) { m_json[key] = value; }
    void time(const char* key, double value) { m_json[key] = value; }
    template <class Inner>
    void nested(const char* key, Inner inner) {
        Json json = Json::object();
        Writer visit(json);
        inner(visit);
        if (!json.empty()) {
            m_json[key] = std::move(json);
        }
    }
    void samples(const std::vector<BenchSample>& samples) {
        const auto column = [&](const char* key, auto member, bool needed) {
            if (needed) {
                Json& all = m_json[key] = Json::array();
                for (const BenchSample& sample : samples) {
                    all.push_back(sample.*member);
                }
            }
        };
        column("samples_ns", &BenchSample::gpuNs, !samples.empty());
        column("samples_clock_mhz", &BenchSample::clockMhz,
               std::ranges::any_of(samples, [](const auto& one) { return one.clockMhz != 0.0; }));
        column("samples_throttled", &BenchSample::throttled,
               std::ranges::any_of(samples, &BenchSample::throttled));
    }

private:
    template <class T>
    static Json written(const T& part) {
        Json json = Json::object();
        Writer visit(json);
        members(visit, part);
        return json;
    }

    Json& m_json;
};

// What is absent or of another type is as if it said nothing.
class Reader {
public:
    static constexpr bool kWrites = false;

    explicit Reader(const Json& json) : m_json(json) {}

    void operator()(const char* key, std::string& value) { value = fields::text(m_json, key); }
    void operator()(const char* key, bool& value) { value = fields::flag(m_json, key); }
    void operator()(const char* key, int& value) { value = fields::small(m_json, key); }
    void operator()(const char* key, std::int64_t& value) { value = fields::integer(m_json, key); }
    void operator()(const char* key, double& value) { value = fields::number(m_json, key); }
    void operator()(const char* key, std::size_t& value) {
        constexpr std::int64_t kMax = std::int64_t{1} << 53;
        value = static_cast<std::size_t>(fields::upTo(m_json, key, kMax));
    }
    void operator()(const char* key, std::optional<double>& value) {
        value = fields::maybeNumber(m_json, key);
    }
    void operator()(const char* key, std::vector<double>& value) {
        value = fields::times(fields::list(m_json, key));
    }
    void operator()(const char* key, std::vector<std::string>& value) {
        value = fields::texts(fields::list(m_json, key));
    }
    void operator()(const char* key, std::map<std::string, std::string>& value) {
        value.clear();
        for (const auto& [name, text] : fields::object(m_json, key).items()) {
            value[name] = text.is_string() ? text.get<std::string>() : "";
        }
    }
    template <class T>
    void operator()(const char* key, std::optional<T>& value) {
        value.reset();
        if (const Json& found = fields::object(m_json, key); !found.empty()) {
            value = read<T>(found);
        }
    }
    template <class T>
    void operator()(const char* key, std::vector<T>& list) {
        list.clear();
        for (const Json& one : fields::objects(m_json, key)) {
            list.push_back(read<T>(one));
        }
    }
    void always(const char* key, auto& value) { (*this)(key, value); }
    // What is not a number was written as null.
    void always(const char* key, double& value) {
        if (const auto found = m_json.find(key); found != m_json.end()) {
            value = found->is_null() ? std::nan("") : fields::number(m_json, key);
        }
    }
    void count(const char* key, std::int64_t& value, std::int64_t most) {
        value = fields::upTo(m_json, key, most);
    }
    void exact(const char* key, std::uint64_t& value) { value = fields::bits64(m_json, key); }
    void time(const char* key, double& value) {
        value = fields::number(m_json, key);
        value = fields::isMeasured(value) ? value : 0.0;
    }
    template <class Inner>
    void nested(const char* key, Inner inner) {
        Reader visit(fields::object(m_json, key));
        inner(visit);
    }
    void samples(std::vector<BenchSample>& samples) {
        const Json& clocks = fields::list(m_json, "samples_clock_mhz");
        const Json& flags = fields::list(m_json, "samples_throttled");
        samples.clear();
        std::size_t at = 0;
        for (const Json& value : fields::list(m_json, "samples_ns")) {
            const std::size_t i = at++;
            if (!value.is_number() || !fields::isMeasured(value.get<double>())) {
                continue;
            }
            BenchSample sample{value.get<double>(), 0.0, false};
            if (i < clocks.size() && clocks[i].is_number()) {
                sample.clockMhz = clocks[i].get<double>();
            }
            sample.throttled = i < flags.size() && flags[i].is_boolean() && flags[i].get<bool>();
            samples.push_back(sample);
        }
    }

    template <class T>
    static T read(const Json& json) {
        T part;
        Reader visit(json);
        members(visit, part);
        return part;
    }

private:
    const Json& m_json;
};

template <class Visitor, Is<Accuracy> T>
void members(Visitor& visit, T& accuracy) {
    visit("with", accuracy.with);
    visit.always("cosine", accuracy.cosine);
    visit.always("max_abs", accuracy.maxAbsolute);
    visit.always("max_rel", accuracy.maxRelative);
    visit.always("same", accuracy.same);
    visit("buffer", accuracy.buffer);
    visit("reason", accuracy.reason);
    visit("difference", accuracy.difference);
    if constexpr (!Visitor::kWrites) {
        if (std::isnan(accuracy.cosine)) {
            accuracy.cosine = accuracy.reason.empty() ? 0.0 : 1.0;
        }
    }
}

template <class Visitor, Is<RunnerProfile> T>
void members(Visitor& visit, T& profile) {
    visit("trace", profile.trace);
    visit("runs", profile.runs);
    visit("wall_ms", profile.wallMs);
    visit("utilization", profile.utilization);
    visit("mm_conv_utilization", profile.mmConvUtilization);
}

Json summaryJson(const BenchSeries& series) {
    const stats::SampleSummary s = series.summary();
    return {{"samples", s.count}, {"median_ns", s.median}, {"low_ns", s.low}, {"high_ns", s.high},
            {"min_ns", s.min},    {"q1_ns", s.q1},         {"q3_ns", s.q3},   {"max_ns", s.max},
            {"mean_ns", s.mean},  {"std_ns", s.deviation}};
}

template <class Visitor, Is<BenchSeries> T>
void members(Visitor& visit, T& series) {
    visit("name", series.name);
    visit("reason", series.reason);
    if constexpr (Visitor::kWrites) {
        if (series.measured()) {
            visit.always("time_ns", series.timeNs());
            visit("throttled", series.throttled());
            visit("clock_mhz", series.clockMhz());
        }
        if (series.repeatsNs.empty() && series.measured()) {
            visit.always("summary", summaryJson(series));
        }
    }
    visit("minimum", series.minimum);
    visit("autotuned", series.winner);
    visit("registers", series.registers);
    visit("spills", series.spills);
    visit("shared_bytes", series.sharedBytes);
    visit("occupancy", series.occupancy);
    visit("repeats_ns", series.repeatsNs);
    visit("runs", series.runs);
    visit("low_ns", series.lowNs);
    visit("high_ns", series.highNs);
    visit("graph", series.graph);
    visit("graph_reason", series.graphReason);
    visit("kernels", series.kernels);
    visit("accuracy", series.accuracy);
    visit.samples(series.samples);
}

template <class Visitor, Is<BenchItem> T>
void members(Visitor& visit, T& item) {
    visit("name", item.name);
    visit("key", item.key);
    if (!Visitor::kWrites || item.count > 0 || item.index > 0) {
        visit.always("index", item.index);
    }
    visit.count("count", item.count, kMaxCalls);
    visit("traced", item.traced);
    visit("recast", item.recast);
    visit("category", item.category);
    visit("source", item.source);
    visit("gb", item.gigabytes);
    visit("flop", item.flop);
    visit("reason", item.reason);
    visit("note", item.note);
    visit("done", item.done);
    visit("accuracy", item.accuracy);
    visit("profile", item.profile);
    visit("series", item.series);
    visit("parts", item.parts);
}

template <class Visitor, Is<operators::InputProblem> T>
void members(Visitor& visit, T& problem) {
    visit("line", problem.line);
    visit("column", problem.column);
    visit("message", problem.message);
}

template <class Visitor, Is<LaunchedKernel> T>
void members(Visitor& visit, T& kernel) {
    visit("name", kernel.name);
    visit.time("time_ns", kernel.timeNs);
}

template <class Visitor, Is<TracedCall> T>
void members(Visitor& visit, T& traced) {
    visit.time("time_ns", traced.timeNs);
    visit.time("total_ns", traced.totalNs);
    visit("kernels", traced.kernels);
    visit("assumed", traced.assumed);
}

template <class Visitor, Is<LeftOutCall> T>
void members(Visitor& visit, T& call) {
    visit("name", call.name);
    visit("shapes", call.shapes);
    visit.count("count", call.count, kMaxCalls);
    visit.time("total_ns", call.totalNs);
    visit("reason", call.reason);
}

template <class Visitor, Is<TraceOrigin> T>
void members(Visitor& visit, T& origin) {
    visit("path", origin.path);
    visit("device", origin.device);
    visit.time("total_ns", origin.totalNs);
    visit.always("left_out", origin.leftOut);
}

template <class Visitor>
void deviceMembers(Visitor& visit, auto& header) {
    visit.nested("gpu", [&](auto& inner) {
        auto& gpu = header.gpu;
        inner("name", gpu.name);
        inner("uuid", gpu.uuid);
        inner("architecture", gpu.architecture);
        inner("driver", gpu.driver);
        inner("memory_bytes", gpu.memoryBytes);
        inner("l2_bytes", gpu.l2Bytes);
        inner("multiprocessors", gpu.multiprocessors);
        inner("max_sm_clock_mhz", gpu.maxSmClockMhz);
        inner("copy_gb_per_s", gpu.copyGbPerS);
    });
    visit.nested("torch", [&](auto& inner) {
        inner("version", header.torchVersion);
        inner("threads", header.threads);
    });
    visit("device", header.device);
}

template <class Visitor>
void optionMembers(Visitor& visit, auto& options) {
    visit.always("suite", options.suite);
    visit("inp_file", options.inputFile);
    visit.always("op", options.operatorName);
    visit.always("dtype", options.dtype);
    visit.exact("seed", options.seed);
    visit.always("start_idx", options.startIndex);
    visit.always("max_samples", options.maxSamples);
    visit.always("repeats", options.repeats);
    visit.always("time_limit_s", options.timeLimitS);
    visit.always("accuracy_checking", options.accuracyChecking);
    visit.always("channels_last", options.channelsLast);
    visit.always("means", options.means);
    visit.always("implementations", options.implementations);
}

template <class Visitor>
void documentMembers(Visitor& visit, auto& document) {
    visit("created", document.created);
    visit.nested("machine", [&](auto& inner) {
        inner("host", document.host);
        inner("system", document.system);
    });
    deviceMembers(visit, document);
    visit("command", document.command);
    if (document.kind == ResultKind::Kernels) {
        visit.always("method", document.method);
        visit("autotune_candidates", document.candidates);
    } else if (document.kind == ResultKind::Operators) {
        optionMembers(visit, document.options);
    }
    visit("unavailable", document.unavailable);
    visit("problems", document.problems);
    visit("notes", document.notes);
    visit("trace", document.trace);
}

Json coverageJson(const ResultDocument& document) {
    const auto calls = static_cast<double>(document.calls());
    const auto run = static_cast<double>(document.callsRun());
    return {{"calls", document.calls()},
            {"run", document.callsRun()},
            {"share", calls > 0.0 ? Json(run / calls) : Json()}};
}

// Of an operator.
Json speedupsJson(const BenchItem& item) {
    Json speedups = Json::object();
    std::set<std::string_view> seen{kBaseline};
    for (const BenchItem& call : item.parts) {
        for (const BenchSeries& series : call.series) {
            const auto found =
                seen.insert(series.name).second ? item.speedups(series.name) : std::nullopt;
            if (found) {
                speedups[series.name] = {
                    {"q20", (*found)[0]}, {"q50", (*found)[1]}, {"q80", (*found)[2]}};
            }
        }
    }
    return speedups;
}

// What a reader would have to work out: rates, speedups, verdicts.
void addDerived(const BenchItem& item, const BenchItem* group, Json& json) {
    for (std::size_t i = 0; i < item.series.size(); ++i) {
        const BenchSeries& series = item.series[i];
        Writer visit(json["series"][i]);
        visit("gb_per_s", item.gbPerS(series.timeNs()));
        visit("speedup", item.speedup(series.name));
        visit("verdict", group != nullptr ? runnerVerdict(*group, item, series.name) : "");
    }
    for (std::size_t i = 0; i < item.parts.size(); ++i) {
        addDerived(item.parts[i], item.key.empty() ? nullptr : &item, json["parts"][i]);
    }
    Writer visit(json);
    const auto time = item.traceTime();
    visit("trace_ratio", item.traceRatio());
    visit("trace_time", std::string(time ? traceTimeName(*time) : ""));
    visit("same_kernels", item.sameKernels());
    visit("measured", item.partsRun());
    visit("speedups", speedupsJson(item));
}

}  // namespace

Json itemJson(const BenchItem& item, const BenchItem* group) {
    Json json = Json::object();
    Writer visit(json);
    members(visit, item);
    addDerived(item, group, json);
    return json;
}

BenchItem readItem(const Json& json) {
    return Reader::read<BenchItem>(json);
}

std::optional<Accuracy> readAccuracy(const Json& json) {
    std::optional<Accuracy> accuracy;
    Reader visit(json);
    visit("accuracy", accuracy);
    return accuracy;
}

std::optional<RunnerProfile> readProfile(const Json& json) {
    std::optional<RunnerProfile> profile;
    Reader visit(json);
    visit("profile", profile);
    return profile;
}

std::vector<LaunchedKernel> readKernels(const Json& json) {
    std::vector<LaunchedKernel> kernels;
    Reader visit(json);
    visit("kernels", kernels);
    return kernels;
}

void writeDevice(const ResultHeader& header, Json& json) {
    Writer visit(json);
    deviceMembers(visit, header);
}

void readDevice(const Json& json, ResultHeader& header) {
    Reader visit(json);
    deviceMembers(visit, header);
}

Json documentJson(const ResultDocument& document) {
    Json json{{"schema", kSchema}, {"kind", kindName(document.kind)}};
    Writer visit(json);
    documentMembers(visit, document);
    if (document.kind == ResultKind::Operators) {
        json["coverage"] = coverageJson(document);
    }
    Json& items = json["items"] = Json::array();
    for (const BenchItem& item : document.items) {
        items.push_back(itemJson(item));
    }
    return json;
}

Result<ResultKind> kindOf(const Json& json) {
    const std::string schema = fields::text(json, "schema");
    if (schema != kSchema && schema != kFirstSchema) {
        return fail("is not a result document: its \"schema\" is neither " + std::string(kSchema) +
                    " nor " + kFirstSchema);
    }
    // The first ones were all of kernels and did not say so.
    const std::string kind = fields::text(json, "kind");
    const auto found = std::ranges::find(kKindNames, kind.empty() ? kKindNames[0] : kind);
    if (found == kKindNames.end()) {
        return fail("this is a result of '" + text::printable(kind) +
                    "', not of kernels, operators or modules");
    }
    return static_cast<ResultKind>(found - kKindNames.begin());
}

Result<ResultDocument> readDocument(Json json) {
    const auto kind = kindOf(json);
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    if (fields::text(json, "schema") == kFirstSchema) {
        upgradeResult(*kind, json);
    }
    ResultDocument document;
    document.kind = *kind;
    Reader visit(json);
    documentMembers(visit, document);
    visit("items", document.items);
    return document;
}

std::string resultJson(const ResultDocument& document) {
    return fields::dump(documentJson(document), 1) + "\n";
}

Result<ResultDocument> parseResult(std::string_view json) {
    return fields::jsonObject(json).and_then(
        [](Json&& parsed) { return readDocument(std::move(parsed)); });
}

Result<ResultDocument> parseResult(std::string_view json, ResultKind kind) {
    auto document = parseResult(json);
    if (document && document->kind != kind) {
        return fail("this is a result of kscope bench " + kindName(document->kind) + ", not of " +
                    kindName(kind));
    }
    return document;
}

}  // namespace kinetoscope::bench::results
