// SPDX-License-Identifier: Apache-2.0
#include "core/advise/AdviceText.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/advise/Advise.h"
#include "core/json/Json.h"
#include "core/text/Format.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"

namespace kinetoscope::advise {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kIndent = 3;
constexpr std::size_t kNameColumns = 70;    // of an event
constexpr std::size_t kValueColumns = 240;  // of a figure; JSON and Markdown have all of it

std::string stepWords(const Advice& advice) {
    return advice.hasSteps ? fmt::format("{} steps of {} on average",
                                         text::formatCount(static_cast<std::int64_t>(advice.steps)),
                                         text::formatDuration(advice.stepNs))
                           : fmt::format("no steps; the whole trace of {} counts as one",
                                         text::formatDuration(advice.stepNs));
}

std::string partOf(TimeNs ns, TimeNs whole) {
    return text::formatPercent(static_cast<double>(ns), static_cast<double>(whole));
}

// Of a finding in some of the steps also the mean of all, which compares with the whole.
std::string savingWords(const Advice& advice, const Saving& saving) {
    const std::string ns = text::formatDuration(saving.ns);
    const std::string part = partOf(saving.ns, saving.stepNs);
    if (saving.ofSteps <= 1) {
        return fmt::format("saves up to {} {} ({})", ns,
                           advice.hasSteps ? "a step" : "of the trace", part);
    }
    if (saving.steps == saving.ofSteps) {
        return fmt::format("saves up to {} a step ({}), in all {} steps", ns, part, saving.ofSteps);
    }
    return fmt::format("saves up to {} ({}){} in {} of {} steps, {} a step on average", ns, part,
                       saving.steps == 1 ? "" : " each", saving.steps, saving.ofSteps,
                       text::formatDuration(saving.meanNs()));
}

std::string summaryWords(const Advice& advice) {
    std::string words = stepWords(advice) + ". ";
    if (advice.together.ns <= 0) {
        const bool anything = std::ranges::any_of(
            advice.findings, [](const Finding& finding) { return finding.abstained.empty(); });
        return words + (anything ? "Each saving is an upper bound."
                                 : "No rule found anything that would make them shorter.");
    }
    return words +
           fmt::format(
               "Each saving is an upper bound from replaying {}, and savings overlap: all of the "
               "trace's findings together save {} {} ({}).",
               advice.hasSteps ? "the steps" : "the trace",
               text::formatDuration(advice.together.meanNs()),
               advice.hasSteps ? "a step on average" : "of the trace",
               partOf(advice.together.meanNs(), advice.stepNs));
}

std::string titleOf(const Finding& finding) {
    const bool ofRank = finding.rank >= 0 && !finding.changes.empty();
    return (ofRank ? fmt::format("Rank {}: ", finding.rank) : "") + text::printable(finding.title);
}

std::string whenOf(const Advice& advice, const FindingEvent& event) {
    return fmt::format("at {}, {}", text::formatDuration(event.span.start - advice.firstEventNs),
                       text::formatDuration(event.span.duration()));
}

std::string findingText(const Advice& advice, const Finding& finding, std::size_t number,
                        const text::TextStyle& style, std::size_t most) {
    std::string text = "\n" + style.heading(fmt::format("{}. {}", number, finding.rule)) + "  " +
                       savingWords(advice, finding.saving) + "\n";
    text += text::paragraph(titleOf(finding), style.width, kIndent);
    text += text::paragraph("To do: " + text::printable(finding.todo), style.width, kIndent);
    text += text::paragraph("Replayed: " + finding.whatIf + ".", style.width, kIndent);
    for (const Evidence& line : finding.evidence) {
        text += text::paragraph(
            "- " + line.label + ": " + text::fitWidth(text::printable(line.value), kValueColumns),
            style.width, kIndent);
    }
    for (std::size_t i = 0; i < std::min(most, finding.events.size()); ++i) {
        text += text::paragraph(
            "· " + whenOf(advice, finding.events[i]) + ": " +
                text::fitWidth(text::printable(finding.events[i].name), kNameColumns),
            style.width, kIndent);
    }
    return text;
}

std::string joined(const std::vector<std::string_view>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string textOf(const Advice& advice, const text::TextStyle& style, std::size_t most) {
    std::string text = style.heading("Advice") + "\n";
    text += text::paragraph(summaryWords(advice), style.width, 2);
    std::size_t number = 0;
    std::string abstained;
    for (const Finding& finding : advice.findings) {
        if (finding.abstained.empty()) {
            text += findingText(advice, finding, ++number, style, most);
        } else {
            abstained += text::paragraph(finding.rule + ": " + text::printable(finding.abstained),
                                         style.width, 2);
        }
    }
    if (!abstained.empty()) {
        text += "\n" + style.heading("Not checked") + "\n" + abstained;
    }
    if (!advice.nothing.empty()) {
        text += "\n" + style.heading("Nothing found") + "\n" +
                text::paragraph(joined(advice.nothing), style.width, 2);
    }
    return text;
}

std::string markdownOf(const Advice& advice) {
    std::string text = "# Advice\n\n" + text::markdownText(summaryWords(advice)) + "\n";
    std::string abstained;
    std::size_t number = 0;
    for (const Finding& finding : advice.findings) {
        if (!finding.abstained.empty()) {
            abstained +=
                "- " +
                text::markdownText(finding.rule + ": " + text::printable(finding.abstained)) + "\n";
            continue;
        }
        text += fmt::format("\n## {}. {}\n\n**{}**, {}\n\n", ++number,
                            text::markdownText(titleOf(finding)), text::markdownText(finding.rule),
                            text::markdownText(savingWords(advice, finding.saving)));
        text += "To do: " + text::markdownText(text::printable(finding.todo)) + "\n\n";
        text += "| figure | value | definition | window |\n| --- | --- | --- | --- |\n";
        for (const Evidence& line : finding.evidence) {
            const std::vector<std::string> cells{
                text::markdownText(line.label), text::markdownText(text::printable(line.value)),
                text::markdownText(line.definition), text::markdownText(line.window)};
            text += text::markdownRow(cells);
        }
        text += "\nReplayed: " + text::markdownText(finding.whatIf) + ".\n";
    }
    if (!abstained.empty()) {
        text += "\n## Not checked\n\n" + abstained;
    }
    if (!advice.nothing.empty()) {
        text += "\nNothing found: " + text::markdownText(joined(advice.nothing)) + ".\n";
    }
    return text;
}

Json findingJson(const Advice& advice, const Finding& finding) {
    Json json{{"rule", finding.rule},
              {"title", finding.title},
              {"saves_ns", finding.saving.ns},
              {"mean_saves_ns", finding.saving.meanNs()},
              {"per", "step"},
              {"steps", finding.saving.steps},
              {"of_steps", finding.saving.ofSteps},
              {"step_ns", finding.saving.stepNs},
              {"todo", finding.todo},
              {"what_if", finding.whatIf},
              {"evidence", Json::array()},
              {"events", Json::array()},
              {"abstained", finding.abstained.empty() ? Json() : Json(finding.abstained)}};
    if (finding.rank >= 0) {
        json["rank"] = finding.rank;
    }
    for (const Evidence& line : finding.evidence) {
        Json row{{"label", line.label}, {"value", line.value}};
        if (!line.definition.empty()) {
            row["definition"] = line.definition;
        }
        if (!line.window.empty()) {
            row["window"] = line.window;
        }
        json["evidence"].push_back(std::move(row));
    }
    for (const FindingEvent& event : finding.events) {
        Json row{{"name", event.name},
                 {"at_ns", event.span.start - advice.firstEventNs},
                 {"length_ns", event.span.duration()}};
        if (event.slice != trace::kNoSlice) {
            row["id"] = event.slice;
        }
        json["events"].push_back(std::move(row));
    }
    return json;
}

std::string jsonOf(const Advice& advice) {
    Json document{{"schema", "kinetoscope.advice/1"},
                  {"steps", advice.steps},
                  {"has_steps", advice.hasSteps},
                  {"step_ns", advice.stepNs},
                  {"together_saves_ns", advice.together.ns},
                  {"together_mean_saves_ns", advice.together.meanNs()},
                  {"findings", Json::array()},
                  {"nothing_found", Json::array()}};
    for (const Finding& finding : advice.findings) {
        document["findings"].push_back(findingJson(advice, finding));
    }
    for (const std::string_view rule : advice.nothing) {
        document["nothing_found"].push_back(rule);
    }
    return json::jsonText(document, 2) + "\n";
}

}  // namespace

std::string adviceOutput(const Advice& advice, text::OutputFormat format,
                         const text::TextStyle& style, std::size_t most) {
    switch (format) {
        case text::OutputFormat::Json:
            return jsonOf(advice);
        case text::OutputFormat::Markdown:
            return markdownOf(advice);
        case text::OutputFormat::Csv:
        case text::OutputFormat::Text:
            break;
    }
    return textOf(advice, style, most);
}

std::string ruleList(const text::TextStyle& style) {
    std::string text;
    for (const RuleFacts& rule : rules()) {
        text += style.heading(std::string(rule.id)) + ": " + std::string(rule.title) + "\n" +
                text::paragraph(rule.definition, style.width, 2);
    }
    return text;
}

}  // namespace kinetoscope::advise
