// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ModuleText.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/bench/operators/InputValue.h"
#include "core/json/Json.h"
#include "core/text/Csv.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

namespace {

constexpr std::size_t kWidth = 16;

// Too long a text loses its end.
std::string fitted(const std::string& text) {
    return text.size() < kWidth ? std::string(kWidth - text.size(), ' ') + text
                                : text.substr(0, kWidth);
}

std::string joined(const std::vector<std::string>& items, const std::string& sep) {
    return fmt::format("{}", fmt::join(items, sep));
}

std::string fourDigits(double value) {
    return fmt::format("{:.4g}", value);
}

// As json.dumps() writes a string.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += std::string{'\\', c};
        } else if (byte < 0x20) {
            out += fmt::format("\\u{:04x}", byte);
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string averages(const ModuleGroup& group, bool backward) {
    std::string text;
    for (const ModuleResult& runner : group.runners) {
        if (runner.reason.empty()) {
            const double mean =
                stats::summarize(backward ? runner.backwardMs : runner.forwardMs).mean;
            text += (text.empty() ? "" : ", ") + quoted(runner.name) + ": " +
                    operators::formatFloat(mean);
        }
    }
    return "{" + text + "}";
}

std::vector<std::string> cellsOf(const std::vector<double>& times, const std::string& verdict) {
    if (times.empty()) {
        return {"–", "–", ""};
    }
    const stats::SampleSummary summary = stats::summarize(times);
    return {fmt::format("{:.4f}", summary.median),
            fmt::format("{:.4f} – {:.4f}", summary.low, summary.high), verdict};
}

std::vector<std::string> row(const ModuleGroup& group, const ModuleResult& runner) {
    const ModuleResult& first = group.runners.front();
    std::vector<std::string> cells{text::printable(runner.name)};
    const auto add = [&](const std::vector<double>& ours, const std::vector<double>& theirs) {
        for (std::string& cell :
             cellsOf(ours, &runner == &first ? "" : moduleVerdict(theirs, ours))) {
            cells.push_back(std::move(cell));
        }
    };
    add(runner.forwardMs, first.forwardMs);
    add(runner.backwardMs, first.backwardMs);
    cells.push_back(runner.agreement ? fmt::format("{:.1e}{}", runner.agreement->difference,
                                                   runner.agreement->same ? "" : " DIFFERS")
                                     : "–");
    return cells;
}

const std::vector<std::string>& titles() {
    static const std::vector<std::string> kTitles{"Runner",  "Forward ms",  "95 % interval",
                                                  "Verdict", "Backward ms", "95 % interval",
                                                  "Verdict", "Agreement"};
    return kTitles;
}

std::string facts(const ModuleDocument& document) {
    std::string text = fmt::format(
        "PyTorch {} on {}; medians in milliseconds, verdicts against the first runner\n",
        text::printable(document.torchVersion),
        text::printable(document.gpu.name.empty() ? document.device : document.gpu.name));
    for (const std::string& note : document.notes) {
        text += text::printable(note) + "\n";
    }
    return text;
}

std::string notes(const ModuleGroup& group) {
    std::string text;
    for (const ModuleResult& runner : group.runners) {
        if (!runner.reason.empty()) {
            text += fmt::format("{}: not run: {}\n", text::printable(runner.name),
                                text::printable(runner.reason));
        }
        if (!runner.note.empty()) {
            text +=
                fmt::format("{}: {}\n", text::printable(runner.name), text::printable(runner.note));
        }
    }
    return text;
}

}  // namespace

std::string moduleHeader(const std::string& sep) {
    return joined({fitted("name"), fitted("avg_fwd"), fitted("std_fwd"), fitted("info_fwd"),
                   fitted("avg_bwd"), fitted("std_bwd"), fitted("info_bwd")},
                  sep);
}

std::string moduleLine(const ModuleResult& result, const std::string& sep) {
    const stats::SampleSummary forward = stats::summarize(result.forwardMs);
    const stats::SampleSummary backward = stats::summarize(result.backwardMs);
    return joined(
        {fitted(text::printable(result.name)), fitted(fourDigits(forward.mean)),
         fitted(fourDigits(forward.deviation)), fitted("None"), fitted(fourDigits(backward.mean)),
         fitted(fourDigits(backward.deviation)), fitted("None")},
        sep);
}

std::string moduleOssJson(const ModuleDocument& document) {
    std::string text;
    for (const ModuleGroup& group : document.groups) {
        text += text.empty() ? "" : ", ";
        text += quoted(group.key) + ": " + averages(group, false) + ", ";
        text += quoted(group.key + "-backward") + ": " + averages(group, true);
    }
    return json::safeJson("{" + text + "}\n");
}

std::string modulePepJson(const ModuleDocument& document) {
    std::string text;
    for (const ModuleGroup& group : document.groups) {
        for (const bool backward : {false, true}) {
            for (const ModuleResult& runner : group.runners) {
                const std::string metric =
                    group.key + (backward ? "-backward-" : "-") + runner.name;
                for (const double ms : backward ? runner.backwardMs : runner.forwardMs) {
                    text += fmt::format(
                        "Caffe2Observer {{\"type\": \"NET\", \"metric\": {}, \"unit\": \"ms\", "
                        "\"value\": \"{}\"}}\n",
                        quoted(metric), operators::formatFloat(ms));
                }
            }
        }
    }
    return json::safeJson(std::move(text));
}

std::string moduleText(const ModuleDocument& document, const text::TextStyle& style) {
    std::string text = style.heading("Modules") + "\n" + facts(document);
    for (const ModuleGroup& group : document.groups) {
        std::vector<text::TextTable::Column> columns;
        for (std::size_t i = 0; i < titles().size(); ++i) {
            const bool interval = i == 2 || i == 5;
            columns.push_back({titles()[i], i > 0, interval ? 1 : 0, 0});
        }
        text::TextTable table(columns);
        for (const ModuleResult& runner : group.runners) {
            if (runner.reason.empty()) {
                table.addRow(row(group, runner));
            }
        }
        text += "\n" + style.heading(text::printable(group.title)) + "\n";
        text += table.empty() ? "" : table.text(style);
        text += notes(group);
    }
    return text;
}

std::string moduleMarkdown(const ModuleDocument& document) {
    std::string text = text::markdownLines(facts(document));
    for (const ModuleGroup& group : document.groups) {
        text += "\n" + text::markdownRow(titles()) +
                text::markdownRow(std::vector<std::string>(titles().size(), "---"));
        for (const ModuleResult& runner : group.runners) {
            if (runner.reason.empty()) {
                std::vector<std::string> cells = row(group, runner);
                std::ranges::transform(cells, cells.begin(), text::markdownText);
                text += text::markdownRow(cells);
            }
        }
        text += "\n" + text::markdownLines(notes(group));
    }
    return text;
}

std::string moduleCsv(const ModuleDocument& document) {
    std::string text = "group,runner,direction,mean_ms,std_ms,median_ms,low_ms,high_ms,loops\n";
    for (const ModuleGroup& group : document.groups) {
        for (const ModuleResult& runner : group.runners) {
            for (const bool backward : {false, true}) {
                const auto& times = backward ? runner.backwardMs : runner.forwardMs;
                if (times.empty()) {
                    continue;
                }
                const stats::SampleSummary s = stats::summarize(times);
                std::vector<std::string> fields{text::csvName(group.key),
                                                text::csvName(runner.name),
                                                backward ? "backward" : "forward"};
                for (const double ms : {s.mean, s.deviation, s.median, s.low, s.high}) {
                    fields.push_back(fmt::format("{:.6f}", ms));
                }
                fields.push_back(fmt::to_string(s.count));
                text += text::csvLine(fields);
            }
        }
    }
    return text;
}

}  // namespace kinetoscope::bench::results
