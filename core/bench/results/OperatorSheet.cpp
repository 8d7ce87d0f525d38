// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/bench/results/ResultSheet.h"
#include "core/bench/results/TracedSheet.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::bench::results {

namespace {

// Implementations that have a column.
std::vector<std::string> candidates(const ResultDocument& document) {
    std::vector<std::string> names;
    for (const std::string& name : document.options.implementations) {
        if (name != kBaseline && !document.unavailable.contains(name)) {
            names.push_back(name);
        }
    }
    return names;
}

// Why an operator has fewer measured samples than samples, in one line each.
std::vector<std::pair<std::string, std::int64_t>> reasonsOf(const BenchItem& result) {
    std::vector<std::pair<std::string, std::int64_t>> reasons;
    std::unordered_map<std::string_view, std::size_t> known;
    for (const BenchItem& sample : result.parts) {
        if (sample.reason.empty()) {
            continue;
        }
        const auto [entry, isNew] = known.try_emplace(sample.reason, reasons.size());
        if (isNew) {
            reasons.emplace_back(sample.reason, sample.count);
        } else {
            reasons[entry->second].second += sample.count;
        }
    }
    return reasons;
}

// Largest differences of all samples; nothing when none was compared.
std::optional<Accuracy> worstAccuracy(const BenchItem& result, const std::string& name) {
    std::optional<Accuracy> worst;
    for (const BenchItem& sample : result.parts) {
        const BenchSeries* one = sample.find(name);
        if (one == nullptr || !one->accuracy || !one->accuracy->reason.empty()) {
            continue;
        }
        worst = worst.value_or(*one->accuracy);
        worst->cosine = std::min(worst->cosine, one->accuracy->cosine);
        worst->maxAbsolute = std::max(worst->maxAbsolute, one->accuracy->maxAbsolute);
        worst->same = worst->same && one->accuracy->same;
    }
    return worst;
}

std::string quantileCell(const BenchItem& result, const std::string& name) {
    const auto found = result.speedups(name);
    return found ? fmt::format("{:.2f} {:.2f} {:.2f}", (*found)[0], (*found)[1], (*found)[2]) : "–";
}

std::string accuracyCell(const BenchItem& result, const std::string& name) {
    const auto worst = worstAccuracy(result, name);
    return worst ? fmt::format("{} {:.5f} {:.2g}", worst->same ? "same" : "DIFFERS", worst->cosine,
                               worst->maxAbsolute)
                 : "–";
}

std::string baselineCell(const BenchItem& result) {
    std::vector<double> times;
    for (const BenchItem& sample : result.parts) {
        const BenchSeries* one = sample.find(kBaseline);
        if (one != nullptr && one->measured()) {
            times.push_back(one->timeNs());
        }
    }
    return times.empty() ? "–" : text::inUnit(stats::medianOf(times), text::kMicroseconds);
}

std::vector<std::string> titles(const ResultDocument& document) {
    std::vector<std::string> all{"Operator", "Samples", "eager µs"};
    for (const std::string& name : candidates(document)) {
        all.push_back(text::printable(name) + " 20 50 80 %");
    }
    for (const std::string& name : candidates(document)) {
        if (document.options.accuracyChecking) {
            all.push_back(text::printable(name) + " cosine max abs");
        }
    }
    return all;
}

std::vector<std::string> cells(const ResultDocument& document, const BenchItem& result) {
    std::vector<std::string> row{
        text::printable(result.name),
        result.partsRun() == result.parts.size()
            ? std::to_string(result.partsRun())
            : fmt::format("{} of {}", result.partsRun(), result.parts.size()),
        baselineCell(result)};
    for (const std::string& name : candidates(document)) {
        row.push_back(quantileCell(result, name));
    }
    for (const std::string& name : candidates(document)) {
        if (document.options.accuracyChecking) {
            row.push_back(accuracyCell(result, name));
        }
    }
    return row;
}

std::vector<std::string> facts(const ResultDocument& document) {
    std::vector<std::string> lines{fmt::format(
        "PyTorch {} on {}, {}, dtype {}, seed {}; speedup = eager time / implementation's time",
        text::printable(document.torchVersion),
        text::printable(document.gpu.name.empty() ? document.device : document.gpu.name),
        text::printable(document.options.inputFile.empty() ? "suite " + document.options.suite
                                                           : document.options.inputFile),
        text::printable(document.options.dtype), document.options.seed)};
    const auto calls = static_cast<double>(document.calls());
    lines.push_back(
        fmt::format("{} of {} recorded calls ran ({})", text::formatCount(document.callsRun()),
                    text::formatCount(document.calls()),
                    text::formatPercent(static_cast<double>(document.callsRun()), calls)));
    for (const auto& [name, reason] : document.unavailable) {
        lines.push_back(
            fmt::format("{} is not available: {}", text::printable(name), text::printable(reason)));
    }
    if (!document.problems.empty()) {
        const operators::InputProblem& first = document.problems.front();
        lines.push_back(fmt::format(
            "{} lines of the inputs were left out, the first at line {}, column {}: {}",
            document.problems.size(), first.line, first.column, text::printable(first.message)));
    }
    return lines;
}

std::vector<std::string> notRun(const ResultDocument& document) {
    std::vector<std::string> lines;
    for (const BenchItem& result : document.items) {
        if (!result.reason.empty()) {
            lines.push_back(fmt::format("{}: {}", text::printable(result.name),
                                        text::printable(result.reason)));
        }
        for (const auto& [reason, count] : reasonsOf(result)) {
            lines.push_back(fmt::format("{}: {} calls not run: {}", text::printable(result.name),
                                        count, text::printable(reason)));
        }
    }
    return lines;
}

// Inductor first, as in operatorbench's own files, then what it had none of.
std::vector<std::string> csvOrder(const ResultDocument& document) {
    std::vector<std::string> names = candidates(document);
    std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        const auto rank = [](const std::string& name) {
            return name == "inductor" ? 0 : name == "nvfuser" ? 1 : 2;
        };
        return rank(a) < rank(b);
    });
    return names;
}

std::string allReasons(const BenchItem& result) {
    std::string text = result.reason;
    for (const auto& [reason, count] : reasonsOf(result)) {
        text += text.empty() ? reason : "; " + reason;
    }
    return text;
}

std::vector<std::string> csvFields(const ResultDocument& document, const BenchItem& result,
                                   const std::vector<std::string>& names) {
    std::vector<std::string> fields{text::csvName(result.name)};
    for (const std::string& name : names) {
        const auto found = result.speedups(name);
        for (std::size_t i = 0; i < kSpeedupQuantiles.size(); ++i) {
            fields.push_back(found ? fmt::format("{:.6f}", (*found)[i]) : "");
        }
    }
    fields.push_back(fmt::to_string(result.parts.size()));
    fields.push_back(fmt::to_string(result.partsRun()));
    for (const std::string& name : names) {
        if (document.options.accuracyChecking) {
            const auto worst = worstAccuracy(result, name);
            fields.push_back(worst ? fmt::format("{:.6f}", worst->cosine) : "");
            fields.push_back(worst ? fmt::format("{:.6g}", worst->maxAbsolute) : "");
        }
    }
    fields.push_back(text::csvName(allReasons(result)));
    return fields;
}

}  // namespace

ResultSheet operatorSheet(const ResultDocument& document) {
    ResultSheet sheet{"Operators", facts(document), {}};
    ResultSheet::Section table{"", {}, {}, "nothing was measured", {}, {}};
    for (const std::string& title : titles(document)) {
        table.columns.push_back({title, !table.columns.empty(), table.columns.size() < 4 ? 0 : 1,
                                 table.columns.empty() ? std::size_t{24} : 0});
    }
    for (const BenchItem& result : document.items) {
        if (result.partsRun() > 0) {
            table.rows.push_back(cells(document, result));
        }
    }
    sheet.sections.push_back(std::move(table));
    if (document.trace) {
        sheet.sections.push_back(tracedSection(document));
    }
    if (auto reasons = notRun(document); !reasons.empty()) {
        sheet.sections.push_back({"Not run", {}, {}, "", {}, std::move(reasons)});
    }
    return sheet;
}

std::string operatorCsv(const ResultDocument& document) {
    const std::vector<std::string> names = csvOrder(document);
    std::vector<std::string> titles{"Operator"};
    for (const std::string& name : names) {
        for (const char* quantile : {" 20th", " 50th", " 80th"}) {
            titles.push_back(text::csvName(name + quantile));
        }
    }
    titles.insert(titles.end(), {"Samples", "Measured"});
    for (const std::string& name : names) {
        if (document.options.accuracyChecking) {
            titles.insert(titles.end(),
                          {text::csvName(name + " cosine"), text::csvName(name + " max abs")});
        }
    }
    titles.emplace_back("Reason");
    std::string text = text::csvLine(titles);
    for (const BenchItem& result : document.items) {
        text += text::csvLine(csvFields(document, result, names));
    }
    return text;
}

}  // namespace kinetoscope::bench::results
