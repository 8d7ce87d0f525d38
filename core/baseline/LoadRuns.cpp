// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/LoadRuns.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <set>

#include "core/base/Threads.h"
#include "core/baseline/Measures.h"
#include "core/bench/results/ResultDocument.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::baseline {

namespace {

using bench::results::ResultDocument;

void setFact(Facts& facts, const char* key, const std::string& value) {
    if (!value.empty()) {
        facts[key] = value;
    }
}

Facts factsOf(const ResultDocument& document) {
    Facts facts;
    setFact(facts, "gpu", document.gpu.name);
    setFact(facts, "driver", document.gpu.driver);
    setFact(facts, "machine", document.host);
    setFact(facts, "system", document.system);
    setFact(facts, "device", document.device);
    setFact(facts, "pytorch", document.torchVersion);
    setFact(facts, "method", document.method);
    setFact(facts, "dtype", document.options.dtype);
    setFact(facts, "threads", document.threads > 0 ? std::to_string(document.threads) : "");
    return facts;
}

// "13000" is 13.0, as CUDA writes its versions.
std::string cudaVersion(const std::string& json) {
    int number = 0;
    const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), number);
    return error == std::errc() && end == json.data() + json.size() && number >= 1000
               ? fmt::format("{}.{}", number / 1000, number % 1000 / 10)
               : std::string();
}

Facts factsOf(const compare::ComparedRun& run) {
    Facts facts;
    std::set<std::string> gpus;
    for (const report::GpuReport& gpu : run.report.gpus) {
        gpus.insert(gpu.name);
    }
    gpus.erase("");
    setFact(facts, "gpu", fmt::format("{}", fmt::join(gpus, ", ")));
    for (const trace::RunField& field : run.trace->info().fields) {
        const std::string version = cudaVersion(field.json);
        if (field.key == "cuda_runtime_version") {
            setFact(facts, "cuda", version);
        } else if (field.key == "cuda_driver_version" && !version.empty()) {
            facts["driver"] = "CUDA " + version;
        }
    }
    return facts;
}

// "2026-11-20T23:28:05Z"
bool isUtc(const std::string& time) {
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
    const auto fits = [](char c, char form) {
        return form == 'd' ? c >= '0' && c <= '9' : c == form;
    };
    return std::ranges::equal(time, kForm, fits);
}

std::string recordedAt(const trace::Trace& trace) {
    const auto base = trace.info().baseTimeNs;
    if (!base || *base <= 0) {
        return {};
    }
    // "2026-10-01 11:37:06.000000000 UTC"
    const std::string utc = text::formatUtc(*base, std::max<TimeNs>(trace.extent().start, 0));
    return utc.size() > 19 ? fmt::format("{}T{}Z", utc.substr(0, 10), utc.substr(11, 8)) : "";
}

void setTime(Entry& entry, const std::string& recorded) {
    entry.recorded = isUtc(recorded)
                         ? recorded
                         : fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Result<LoadedRuns> loadTraceRun(const std::string& path, const import::LoadOptions& options) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return fail(
            fmt::format("'{}': is a folder, but a baseline is saved from files; make one with "
                        "kscope convert, or name the traces of its ranks",
                        text::printable(path)));
    }
    auto input = compare::loadCompareInput(path, options);
    if (!input) {
        return tl::unexpected(input.error());
    }
    LoadedRuns loaded{std::move(*input), {}, {{path, std::nullopt}}};
    const auto& run = std::get<compare::ComparedRun>(loaded.input);
    if (const auto good = compare::requireKernels(run, path); !good) {
        return tl::unexpected(good.error());
    }
    loaded.entry.kind = "trace";
    loaded.entry.facts = factsOf(run);
    loaded.entry.clockMhz = clockOf(*run.trace);
    loaded.entry.measures = measuresOf(run);
    setTime(loaded.entry, recordedAt(*run.trace));
    return loaded;
}

// Facts that the runs do not share are not those of the entry; where only some of them say what
// decides whether runs compare, they say it for all.
void keepCommon(Facts& facts, const Facts& others) {
    for (const Fact& known : knownFacts()) {
        const auto mine = facts.find(known.key);
        const auto other = others.find(known.key);
        if (known.decides && mine == facts.end() && other != others.end()) {
            facts.insert(*other);
        } else if (mine != facts.end() &&
                   (other == others.end() ? !known.decides : other->second != mine->second)) {
            facts.erase(mine);
        }
    }
}

Result<LoadedRuns> loadResults(std::vector<compare::ResultText> texts) {
    LoadedRuns loaded;
    std::vector<compare::MeasuredResult> runs;
    std::string recorded;
    for (compare::ResultText& text : texts) {
        const auto document = bench::results::parseResult(text.text);
        if (!document) {
            return fail(
                fmt::format("'{}': {}", text::printable(text.id), document.error().message));
        }
        if (runs.empty()) {
            loaded.entry.kind = bench::results::kindName(document->kind);
            loaded.entry.facts = factsOf(*document);
        }
        keepCommon(loaded.entry.facts, factsOf(*document));
        recorded = std::max(recorded, document->created);
        runs.push_back(compare::measured(*document));
        runs.back().id = text.id;
        loaded.sources.push_back({text.id, std::move(text.text)});
    }
    auto pooled = compare::pooledResult(runs);
    if (!pooled) {
        return tl::unexpected(pooled.error());
    }
    loaded.entry.clockMhz = clockOf(runs);
    loaded.entry.measures = measuresOf(runs);
    setTime(loaded.entry, recorded);
    loaded.input = std::move(*pooled);
    return loaded;
}

Result<std::vector<LoadedRuns>> loadEach(const std::vector<std::string>& paths,
                                         const import::LoadOptions& options) {
    std::vector<LoadedRuns> all;
    std::vector<compare::ResultText> results;
    for (const std::string& path : paths) {
        auto result = compare::findResult(path);
        if (!result) {
            return tl::unexpected(result.error());
        }
        if (*result) {
            results.push_back(std::move(**result));
            continue;
        }
        auto trace = loadTraceRun(path, options);
        if (!trace) {
            return tl::unexpected(trace.error());
        }
        all.push_back(std::move(*trace));
    }
    if (!results.empty() && !all.empty()) {
        return fail(fmt::format("'{}': is a result, but '{}' is a trace; give runs of one kind",
                                text::printable(results.front().id),
                                text::printable(all.front().sources.front().from)));
    }
    if (!results.empty()) {
        auto pooled = loadResults(std::move(results));
        if (!pooled) {
            return tl::unexpected(pooled.error());
        }
        all.push_back(std::move(*pooled));
    }
    return all;
}

}  // namespace

Result<std::vector<LoadedRuns>> loadRuns(const std::vector<std::string>& paths,
                                         const import::LoadOptions& options) {
    return guarded([&] { return loadEach(paths, options); });
}

}  // namespace kinetoscope::baseline
