// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/Entry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/bench/results/JsonFields.h"
#include "core/json/Json.h"

namespace kinetoscope::baseline {

namespace {

using Json = nlohmann::ordered_json;
namespace fields = bench::results::fields;

constexpr std::string_view kEntrySchema = "kinetoscope.baseline/1";
constexpr std::size_t kMaxNameLength = 128;

constexpr std::array kFacts{
    Fact{"gpu", "GPU", true, true},          Fact{"device", "device", true, false},
    Fact{"method", "method", true, false},   Fact{"dtype", "data type", true, false},
    Fact{"threads", "threads", true, false}, Fact{"machine", "machine", false, true},
    Fact{"system", "system", false, false},  Fact{"driver", "driver", false, true},
    Fact{"cuda", "CUDA", false, false},      Fact{"pytorch", "PyTorch", false, false},
    Fact{"kscope", "kscope", false, false},
};

Json measureJson(const Measure& measure) {
    return {{"name", measure.name},    {"value_ns", measure.value},  {"low_ns", measure.low},
            {"high_ns", measure.high}, {"samples", measure.samples}, {"runs_ns", measure.runs}};
}

bool isTime(double ns) {
    return std::isfinite(ns) && ns >= 0.0;
}

/// Without runs for anything that is not a measure.
Measure storedMeasure(const Json& json) {
    Measure measure;
    if (!json.is_object()) {
        return measure;
    }
    measure.name = fields::text(json, "name");
    measure.value = fields::number(json, "value_ns");
    measure.low = fields::number(json, "low_ns");
    measure.high = fields::number(json, "high_ns");
    measure.samples = static_cast<std::size_t>(
        fields::upTo(json, "samples", std::numeric_limits<std::int32_t>::max()));
    const Json runs = json.value("runs_ns", Json::array());
    for (const Json& run : runs.is_array() ? runs : Json::array()) {
        if (run.is_number() && isTime(run.get<double>())) {
            measure.runs.push_back(run.get<double>());
        }
    }
    const bool whole = isTime(measure.value) && isTime(measure.low) && isTime(measure.high);
    return whole ? measure : Measure{};
}

Facts storedFacts(const Json& json) {
    Facts facts;
    const auto found = json.find("facts");
    if (found != json.end() && found->is_object()) {
        for (const auto& [key, value] : found->items()) {
            if (value.is_string()) {
                facts[key] = value.get<std::string>();
            }
        }
    }
    return facts;
}

template <class Take>
void forEach(const Json& document, const char* key, const Take& take) {
    const auto found = document.find(key);
    if (found != document.end() && found->is_array()) {
        std::ranges::for_each(*found, take);
    }
}

}  // namespace

std::span<const Fact> knownFacts() {
    return kFacts;
}

// A kernel may be called "step", too: what stands first decides.
std::size_t Entry::wholes() const {
    const bool hasStep = isTrace() && measures.size() > 1 && measures[0].name == kStepKernelTime &&
                         measures[1].name == kStep;
    return hasStep ? 2 : std::min<std::size_t>(1, measures.size());
}

const Measure* Entry::step() const {
    return wholes() == 2 ? &measures[1] : nullptr;
}

const Measure* Entry::kernelTime() const {
    return isTrace() && !measures.empty() ? &measures.front() : nullptr;
}

const Measure* Entry::benchTime() const {
    return isTrace() || measures.empty() ? nullptr : &measures.front();
}

std::string Entry::fact(const std::string& key) const {
    const auto found = facts.find(key);
    return found == facts.end() ? std::string() : found->second;
}

bool isPlainCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

bool isPlainName(std::string_view name) {
    return !name.empty() && name.size() <= kMaxNameLength && name.front() != '.' &&
           std::ranges::all_of(name, isPlainCharacter);
}

std::string entryJson(const Entry& entry) {
    Json document{{"schema", kEntrySchema},      {"kind", entry.kind},
                  {"recorded", entry.recorded},  {"facts", entry.facts},
                  {"clock_mhz", entry.clockMhz}, {"files", Json::array()},
                  {"measures", Json::array()}};
    for (const StoredFile& file : entry.files) {
        document["files"].push_back(
            {{"name", file.name}, {"from", file.from}, {"bytes", file.bytes}});
    }
    for (const Measure& measure : entry.measures) {
        document["measures"].push_back(measureJson(measure));
    }
    return json::jsonText(document, 1) + "\n";
}

Result<Entry> parseEntry(std::string_view text) {
    const auto document = json::parseOrderedJson(text);
    if (!document) {
        return tl::unexpected(document.error());
    }
    if (!document->is_object() || fields::text(*document, "schema") != kEntrySchema) {
        return fail("is not an entry of a baseline that this version knows");
    }
    Entry entry;
    entry.kind = fields::text(*document, "kind");
    entry.recorded = fields::text(*document, "recorded");
    entry.facts = storedFacts(*document);
    entry.clockMhz = fields::number(*document, "clock_mhz");
    forEach(*document, "files", [&entry](const Json& json) {
        if (json.is_object()) {
            entry.files.push_back({fields::text(json, "name"), fields::text(json, "from"),
                                   static_cast<std::uint64_t>(
                                       std::max<std::int64_t>(fields::integer(json, "bytes"), 0))});
        }
    });
    forEach(*document, "measures", [&entry](const Json& json) {
        if (Measure measure = storedMeasure(json); !measure.runs.empty()) {
            entry.measures.push_back(std::move(measure));
        }
    });
    const bool named = std::ranges::all_of(
        entry.files, [](const StoredFile& file) { return isPlainName(file.name); });
    if (entry.files.empty() || !named) {
        return fail("does not name a file in its folder");
    }
    return entry;
}

bool isOfOtherSchema(std::string_view text) {
    const auto document = json::parseOrderedJson(text);
    return document && document->is_object() && !fields::text(*document, "schema").empty() &&
           fields::text(*document, "schema") != kEntrySchema;
}

}  // namespace kinetoscope::baseline
