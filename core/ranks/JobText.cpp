// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/JobText.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/ranks/JobTables.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"

namespace kinetoscope::ranks {

namespace {

constexpr std::size_t kMaxAnswers = 20;
constexpr std::size_t kMaxRows = 64;  // of a table on a terminal

const char* excessWords(CauseKind kind) {
    switch (kind) {
        case CauseKind::Host:
            return "its host delayed it";
        case CauseKind::Compute:
            return "it computed";
        case CauseKind::Copy:
            return "it copied";
        case CauseKind::Other:
            break;
    }
    return "another group delayed it";
}

std::string stepWords(const Cause& cause) {
    if (cause.step < 0) {
        return "outside of steps";
    }
    return cause.steps == 1
               ? fmt::format("step {}", cause.step)
               : fmt::format("{} steps, {} to {}", cause.steps, cause.step, cause.lastStep);
}

std::array<PrintedTable, 4> allTables(const Job& job) {
    return {rankTable(job), stepTable(job), collectiveTable(job), clockTable(job)};
}

std::vector<std::string> pauses(const Job& job) {
    std::vector<std::string> texts;
    for (const JobStep& step : job.steps) {
        if (std::string text = pauseText(step); !text.empty()) {
            texts.push_back(std::move(text));
        }
    }
    texts.resize(std::min(texts.size(), kMaxAnswers));
    return texts;
}

// The highest one is dropped first; the first column stays.
int turnToGo(const PrintedTable& table, std::size_t column) {
    const auto at = std::ranges::find(table.firstToGo, column);
    const std::size_t turn =
        at == table.firstToGo.end()
            ? column
            : table.columns.size() + static_cast<std::size_t>(table.firstToGo.end() - at);
    return static_cast<int>(turn);
}

}  // namespace

std::string tableText(const PrintedTable& table, const text::TextStyle& style) {
    std::vector<text::TextTable::Column> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const std::string& title = table.columns[i];
        const bool isName = title == "host" || title == "group" || title == "kind" ||
                            title == "causes" || title == "file" || title == "collective";
        columns.push_back({.title = title,
                           .rightAligned = !isName && title != "most of it",
                           .droppable = turnToGo(table, i),
                           .shrinkTo = title == "collective" ? 32U : (isName ? 8U : 0U)});
    }
    text::TextTable shown(std::move(columns));
    for (std::size_t i = 0; i < table.rows.size() && i < kMaxRows; ++i) {
        shown.addRow(table.rows[i]);
    }
    std::string text = "\n" + style.heading(table.title) + "\n" + shown.text(style);
    if (table.rows.size() > kMaxRows) {
        text += style.faint(fmt::format("  {} more rows: --json and --csv have all\n",
                                        table.rows.size() - kMaxRows));
    }
    return text;
}

std::string tableMarkdown(const PrintedTable& table) {
    const auto cells = [](const std::vector<std::string>& row) {
        std::vector<std::string> escaped;
        escaped.reserve(row.size());
        for (const std::string& cell : row) {
            escaped.push_back(text::markdownText(cell));
        }
        return text::markdownRow(escaped);
    };
    std::string text = "\n## " + table.title + "\n\n" + cells(table.columns) + "|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        text += " --- |";
    }
    text += "\n";
    for (const auto& row : table.rows) {
        text += cells(row);
    }
    return text;
}

std::string answerText(const Job& job, const Cause& cause) {
    const std::int64_t rank = job.records[cause.record].rank;
    const std::string late = fmt::format(
        "{} {} longer than {}", excessWords(cause.kind), text::formatDuration(cause.ns()),
        cause.besideOwnSteps ? "in its median step" : "the median rank");
    const std::string why = cause.detail.empty() ? "" : "; " + text::printable(cause.detail);
    if (!cause.isFelt()) {
        return fmt::format("{}: rank {} was slower, although no rank waited for it alone: {}{}",
                           stepWords(cause), rank, late, why);
    }
    const auto each = cause.blameNs / static_cast<TimeNs>(cause.waiting);
    const std::string who =
        cause.waiting == 1
            ? fmt::format("one rank waited {}", text::formatDuration(each))
            : fmt::format("{} ranks waited {} each", cause.waiting, text::formatDuration(each));
    return fmt::format("{}: {} for rank {}: {}{}", stepWords(cause), who, rank, late, why);
}

std::string pauseText(const JobStep& step) {
    return step.pause.ns <= 0
               ? std::string()
               : fmt::format(
                     "step {}: the hosts of most ranks stalled for {} before {}, longer than "
                     "in their median steps; none waited for another",
                     step.number, text::formatDuration(step.pause.ns),
                     text::printable(step.pause.before));
}

std::string jobText(const Job& job, const text::TextStyle& style) {
    std::string text = style.heading("Job") + "\n";
    for (const std::string& line : jobSummary(job)) {
        text += text::paragraph(line, style.width, 2);
    }
    text += "\n" + style.heading("Which rank waited for which, and why") + "\n";
    if (job.answers.empty()) {
        text += text::paragraph(noAnswerText(job), style.width, 2);
    }
    for (std::size_t i = 0; i < job.answers.size() && i < kMaxAnswers; ++i) {
        text += text::paragraph(answerText(job, job.answers[i]), style.width, 2);
    }
    for (const std::string& pause : pauses(job)) {
        text += text::paragraph(pause, style.width, 2);
    }
    for (const PrintedTable& table : allTables(job)) {
        text += tableText(table, style);
    }
    return text;
}

std::string jobMarkdown(const Job& job) {
    std::string text = "# Job\n\n";
    for (const std::string& line : jobSummary(job)) {
        text += "- " + text::markdownText(line) + "\n";
    }
    text += "\n## Which rank waited for which, and why\n\n";
    if (job.answers.empty()) {
        text += text::markdownText(noAnswerText(job)) + "\n";
    }
    for (const Cause& cause : job.answers) {
        text += "1. " + text::markdownText(answerText(job, cause)) + "\n";
    }
    for (const std::string& pause : pauses(job)) {
        text += "1. " + text::markdownText(pause) + "\n";
    }
    for (const PrintedTable& table : allTables(job)) {
        text += tableMarkdown(table);
    }
    return text;
}

std::string jobCsv(const Job& job) {
    const std::vector<TimeNs> suffered = job.suffered();
    const std::vector<TimeNs> caused = job.caused();
    std::string csv =
        "rank,host,gpu,file,busy_ns,compute_ns,exposed_comm_ns,exposed_copy_ns,idle_ns,"
        "idle_host_ns,idle_launch_ns,idle_dependency_ns,idle_graph_ns,idle_profiler_ns,"
        "idle_unknown_ns,waited_ns,caused_ns,offset_ns,residual_ns,step_ns,aligned,complete\n";
    for (std::size_t r = 0; r < job.records.size(); ++r) {
        const RankRecord& record = job.records[r];
        std::vector<std::string> fields{fmt::to_string(record.rank),
                                        text::csvName(record.host),
                                        fmt::to_string(record.gpu),
                                        text::csvName(record.file),
                                        fmt::to_string(record.busyNs),
                                        fmt::to_string(record.time.computeNs),
                                        fmt::to_string(record.time.exposedCommNs),
                                        fmt::to_string(record.time.exposedCopyNs),
                                        fmt::to_string(record.time.idleNs)};
        for (const analysis::IdleReason reason : analysis::kIdleReasons) {
            fields.push_back(fmt::to_string(record.idle.of(reason)));
        }
        for (const TimeNs ns : {suffered[r], caused[r], job.clocks[r].offsetNs,
                                job.clocks[r].residualNs, medianStepNs(record)}) {
            fields.push_back(fmt::to_string(ns));
        }
        fields.emplace_back(job.clocks[r].aligned ? "true" : "false");
        fields.emplace_back(record.complete ? "true" : "false");
        csv += text::csvLine(fields);
    }
    return csv;
}

}  // namespace kinetoscope::ranks
