// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/Check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/Threads.h"
#include "core/compare/CompareJson.h"
#include "core/json/Json.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"

namespace kinetoscope::baseline {

namespace {

using Json = nlohmann::ordered_json;

Result<Entry> chosenEntry(const BaselineStore& store, const std::string& name,
                          const LoadedRuns& runs, const CheckOptions& options) {
    if (options.entry) {
        return store.entry(name, *options.entry);
    }
    auto all = store.entries(name);
    if (!all) {
        return tl::unexpected(all.error());
    }
    const auto found = std::find_if(
        all->entries.rbegin(), all->entries.rend(),
        [&runs](const Entry& entry) { return comparability(entry, runs.entry).comparable(); });
    return found == all->entries.rend() ? all->entries.back() : *found;
}

Result<std::vector<compare::MeasuredResult>> eachRun(const LoadedRuns& runs) {
    std::vector<compare::MeasuredResult> all;
    for (const RunSource& source : runs.sources) {
        if (!source.text) {
            return fail(fmt::format("'{}': is a trace; --more is for results of benches",
                                    text::printable(source.from)));
        }
        auto run = compare::parseMeasuredResult(*source.text);
        if (!run) {
            return tl::unexpected(run.error());
        }
        run->id = source.from;
        all.push_back(std::move(*run));
    }
    return all;
}

Result<compare::Comparison> compareWithMore(const LoadedRuns& kept, const LoadedRuns& runs,
                                            const CheckOptions& options) {
    const std::size_t least = options.compare.rule.leastPairs;
    auto base = eachRun(kept);
    auto candidate = base ? eachRun(runs) : base;
    if (!candidate) {
        return tl::unexpected(candidate.error());
    }
    if (base->size() < least) {
        return fail(fmt::format("the entry has {} runs, too few for --more; save {} or more",
                                base->size(), least));
    }
    SequentialCompare sequence(std::move(*base), std::move(*candidate), options.compare,
                               options.percent, options.maxRuns);
    for (;;) {
        if (sequence.runs() >= least) {
            if (auto looked = sequence.look(); !looked) {
                return tl::unexpected(looked.error());
            }
            if (sequence.open().empty()) {
                return sequence.comparison();
            }
        }
        const auto text = options.more(sequence.kind(), sequence.open());
        auto run = text ? compare::parseMeasuredResult(text->text) : tl::unexpected(text.error());
        auto added = run ? sequence.add(std::move(*run)) : tl::unexpected(run.error());
        if (!added) {
            return tl::unexpected(added.error());
        }
    }
}

Result<CheckedRuns> checkOne(const BaselineStore& store, const std::string& name,
                             const LoadedRuns& runs, const CheckOptions& options) {
    auto entry = chosenEntry(store, name, runs, options);
    if (!entry) {
        return tl::unexpected(entry.error());
    }
    CheckedRuns checked{std::move(*entry), {}, std::nullopt};
    checked.comparability = comparability(checked.base, runs.entry);
    const bool oneKind = checked.base.kind == runs.entry.kind;
    if (!checked.comparability.comparable() && !(options.anyway && oneKind)) {
        return checked;
    }
    const auto paths = store.files(checked.base);
    if (!paths) {
        return tl::unexpected(paths.error());
    }
    const auto kept = loadRuns(*paths, options.load);
    if (!kept) {
        return tl::unexpected(kept.error());
    }
    auto comparison =
        options.more
            ? compareWithMore(kept->front(), runs, options)
            : compare::compareInputs(
                  compare::Baseline<const compare::CompareInput*>(&kept->front().input),
                  compare::Candidate<const compare::CompareInput*>(&runs.input), options.compare);
    if (!comparison) {
        return tl::unexpected(comparison.error());
    }
    const std::size_t more = runs.sources.size() - 1;
    comparison->file = {fmt::format("{} {}", name, checked.base.id),
                        more == 0 ? runs.sources.front().from
                                  : fmt::format("{} and {} more", runs.sources.front().from, more)};
    checked.comparison = std::move(*comparison);
    return checked;
}

Json factsJson(const Entry& entry) {
    Json facts = entry.facts;
    if (entry.clockMhz > 0.0) {
        facts["sm_clock_mhz"] = entry.clockMhz;
    }
    return facts;
}

std::string checkJson(const std::vector<CheckedRuns>& checks) {
    Json document{{"schema", "kinetoscope.check/1"}, {"checks", Json::array()}};
    for (const CheckedRuns& check : checks) {
        Json comparison;
        if (check.comparison) {
            // It was written here: it is JSON.
            comparison =
                json::parseOrderedJson(compare::compareJson(*check.comparison)).value_or(Json());
        }
        document["checks"].push_back({{"baseline",
                                       {{"name", check.base.name},
                                        {"entry", check.base.id},
                                        {"recorded", check.base.recorded},
                                        {"facts", factsJson(check.base)}}},
                                      {"comparable", check.comparability.comparable()},
                                      {"obstacles", check.comparability.obstacles},
                                      {"differences", check.comparability.differences},
                                      {"not_told", check.comparability.unknown},
                                      {"comparison", std::move(comparison)}});
    }
    return json::jsonText(document, 2) + "\n";
}

std::string headOf(const CheckedRuns& check) {
    return fmt::format("against {} of {}: {}", check.base.name,
                       text::printable(check.base.recorded), check.comparability.sentence());
}

std::string headText(const CheckedRuns& check, const text::TextStyle& style) {
    const std::string head = headOf(check);
    return (check.comparability.comparable() ? head : style.warning(head)) + "\n";
}

std::string headMarkdown(const CheckedRuns& check) {
    const std::string head = text::markdownText(headOf(check));
    return (check.comparability.comparable() ? head : "**" + head + "**") + "\n\n";
}

}  // namespace

Result<std::vector<CheckedRuns>> checkRuns(const BaselineStore& store, const std::string& name,
                                           const std::vector<LoadedRuns>& runs,
                                           const CheckOptions& options) {
    return guarded([&]() -> Result<std::vector<CheckedRuns>> {
        std::vector<CheckedRuns> checks;
        for (const LoadedRuns& one : runs) {
            auto checked = checkOne(store, name, one, options);
            if (!checked) {
                return tl::unexpected(checked.error());
            }
            checks.push_back(std::move(*checked));
        }
        return checks;
    });
}

std::string checkOutput(const std::vector<CheckedRuns>& checks, text::OutputFormat format,
                        const compare::CompareTextOptions& options, const text::TextStyle& style) {
    if (format == text::OutputFormat::Json) {
        return checkJson(checks);
    }
    if (format == text::OutputFormat::Csv) {
        std::vector<compare::Comparison> comparisons;
        for (const CheckedRuns& check : checks) {
            if (check.comparison) {
                comparisons.push_back(*check.comparison);
            }
        }
        return compare::compareCsv(comparisons);
    }
    const bool markdown = format == text::OutputFormat::Markdown;
    std::string text;
    for (const CheckedRuns& check : checks) {
        text += text.empty() ? "" : "\n";
        text += markdown ? headMarkdown(check) : headText(check, style);
        if (check.comparison) {
            text += markdown ? compare::compareMarkdown(*check.comparison, options)
                             : "\n" + compare::compareText(*check.comparison, options, style);
        }
    }
    return text;
}

}  // namespace kinetoscope::baseline
