// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/JobTableModels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ranks/JobTables.h"
#include "core/stats/Statistics.h"
#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

using models::countField;
using models::fieldColumn;
using models::textField;
using models::toText;
using ranks::RankRecord;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Row = std::uint32_t;

/// Times in one unit.
Field timeField(const char* key, const QString& title, const QString& toolTip,
                const std::function<double(Row)>& ns, text::TimeUnit unit = text::kMilliseconds) {
    return {fieldColumn(key, title, toolTip, false),
            [ns, unit](Row row) {
                const double value = ns(row);
                return std::isnan(value) ? QString() : toText(text::inUnit(value, unit));
            },
            ns};
}

/// Numbers of ranks and steps: the first one first.
Field numberField(const char* key, const QString& title, const QString& toolTip,
                  std::function<double(Row)> number) {
    Field field = countField(key, title, toolTip, std::move(number));
    field.column.largestFirst = false;
    return field;
}

Field shareField(const char* key, const QString& title, const QString& toolTip,
                 const std::function<double(Row)>& share) {
    return {fieldColumn(key, title, toolTip, false),
            [share](Row row) {
                const double value = share(row);
                return std::isnan(value) ? QString() : toText(text::formatPercent(value, 1.0));
            },
            [share](Row row) { return 100.0 * share(row); }};
}

Field rankField(const Shown& shown) {
    return numberField("rank", QObject::tr("Rank"), QString(), [shown](Row row) {
        return static_cast<double>(shown->job.records[row].rank);
    });
}

Field hostField(const Shown& shown) {
    return textField("host", QObject::tr("Host"), QObject::tr("From the file"),
                     [shown](Row row) { return toText(shown->job.records[row].host); });
}

double medianLength(const RankRecord& record) {
    std::vector<TimeNs> lengths;
    lengths.reserve(record.steps.size());
    for (const ranks::RankStep& step : record.steps) {
        lengths.push_back(step.span.duration());
    }
    return lengths.empty() ? kNone : stats::medianOf(lengths);
}

double windowOf(const RankRecord& record) {
    const analysis::Breakdown& time = record.time;
    return static_cast<double>(time.computeNs + time.exposedCommNs + time.exposedCopyNs +
                               time.idleNs);
}

double ratio(TimeNs part, double whole) {
    return whole > 0.0 ? static_cast<double>(part) / whole : kNone;
}

/// The ranks' lengths of a step.
struct Lengths {
    double shortest = kNone;
    double longest = kNone;
    double rank = kNone;  ///< of the longest
};

Lengths lengthsOf(const ranks::Job& job, Row row) {
    Lengths found;
    const std::vector<TimeNs>& lengths = job.steps[row].lengthNs;
    for (std::size_t r = 0; r < lengths.size(); ++r) {
        const auto length = static_cast<double>(lengths[r]);
        if (lengths[r] < 0) {
            continue;
        }
        found.shortest = std::isnan(found.shortest) ? length : std::min(found.shortest, length);
        if (std::isnan(found.longest) || length > found.longest) {
            found.longest = length;
            found.rank = static_cast<double>(job.records[r].rank);
        }
    }
    return found;
}

QString causesOf(const ranks::Job& job, Row row) {
    QStringList causes;
    for (const ranks::Cause& cause : job.steps[row].causes) {
        causes.append(QObject::tr("rank %1 %2 %3")
                          .arg(job.records[cause.record].rank)
                          .arg(QString::fromLatin1(ranks::causeKindName(cause.kind)),
                               toText(text::formatDuration(cause.ns()))));
    }
    return causes.join(QLatin1String("; "));
}

}  // namespace

std::unique_ptr<JobTableModel> makeRankModel(const Shown& shown) {
    const auto suffered = std::make_shared<const std::vector<TimeNs>>(shown->job.suffered());
    const auto caused = std::make_shared<const std::vector<TimeNs>>(shown->job.caused());
    const auto record = [shown](Row row) -> const RankRecord& { return shown->job.records[row]; };
    const auto part = [record](TimeNs analysis::Breakdown::*kind) {
        return [record, kind](Row row) {
            return ratio(record(row).time.*kind, windowOf(record(row)));
        };
    };
    std::vector<Field> fields;
    fields.push_back(rankField(shown));
    fields.push_back(hostField(shown));
    fields.push_back(numberField("gpu", QObject::tr("GPU"), QString(), [record](Row row) {
        const std::int32_t gpu = record(row).gpu;
        return gpu == ranks::kNoGpu ? kNone : double(gpu);
    }));
    fields.push_back(timeField("step_ns", QObject::tr("Step ms"),
                               QObject::tr("Median length of its steps"),
                               [record](Row row) { return medianLength(record(row)); }));
    fields.push_back(shareField(
        "busy_percent", QObject::tr("Busy"),
        QObject::tr(
            "Share of the time from its first to its last operation in which its GPU was busy"),
        [record](Row row) { return ratio(record(row).busyNs, windowOf(record(row))); }));
    fields.push_back(shareField("compute_percent", QObject::tr("Compute"),
                                QObject::tr("Share in which it computed"),
                                part(&analysis::Breakdown::computeNs)));
    fields.push_back(shareField("exposed_comm_percent", QObject::tr("Exposed comm."),
                                QObject::tr("Share in which it communicated without computing"),
                                part(&analysis::Breakdown::exposedCommNs)));
    fields.push_back(shareField("idle_percent", QObject::tr("Idle"),
                                QObject::tr("Share in which it was idle"),
                                part(&analysis::Breakdown::idleNs)));
    fields.push_back(shareField(
        "idle_host_percent", QObject::tr("Idle: host"),
        QObject::tr(
            "Share of the idle time in which the host had not launched the next operation yet"),
        [record](Row row) {
            return ratio(record(row).idle.hostNs, static_cast<double>(record(row).idle.total()));
        }));
    fields.push_back(timeField("waited_ns", QObject::tr("Waited ms"),
                               QObject::tr("Exposed waiting for other ranks"),
                               [suffered](Row row) { return double((*suffered)[row]); }));
    fields.push_back(timeField("caused_ns", QObject::tr("Waited for ms"),
                               QObject::tr("Exposed waiting of other ranks for this rank"),
                               [caused](Row row) { return double((*caused)[row]); }));
    return std::make_unique<JobTableModel>(std::move(fields), shown->job.records.size());
}

std::unique_ptr<JobTableModel> makeStepModel(const Shown& shown) {
    const auto lengths = [shown](Row row) { return lengthsOf(shown->job, row); };
    std::vector<Field> fields;
    fields.push_back(numberField("step", QObject::tr("Step"), QString(), [shown](Row row) {
        const std::int64_t number = shown->job.steps[row].number;
        return number < 0 ? kNone : static_cast<double>(number);
    }));
    fields.push_back(timeField("shortest_ns", QObject::tr("Shortest ms"),
                               QObject::tr("Across all ranks"),
                               [lengths](Row row) { return lengths(row).shortest; }));
    fields.push_back(timeField("longest_ns", QObject::tr("Longest ms"),
                               QObject::tr("Across all ranks"),
                               [lengths](Row row) { return lengths(row).longest; }));
    fields.push_back(numberField("longest_rank", QObject::tr("Of rank"),
                                 QObject::tr("The rank for which the step took longest"),
                                 [lengths](Row row) { return lengths(row).rank; }));
    fields.push_back(timeField("waited_ns", QObject::tr("Waited ms"),
                               QObject::tr("Exposed waiting of all ranks"),
                               [shown](Row row) { return double(shown->job.steps[row].blameNs); }));
    fields.push_back(textField(
        "causes", QObject::tr("Causes"),
        QObject::tr("Ranks that took longer than the median rank by themselves, and on what"),
        [shown](Row row) { return causesOf(shown->job, row); }));
    return std::make_unique<JobTableModel>(std::move(fields), shown->job.steps.size());
}

std::unique_ptr<JobTableModel> makeCollectiveModel(const Shown& shown) {
    const auto rows = std::make_shared<const std::vector<ranks::CollectiveRow>>(
        ranks::collectiveRows(shown->job));
    const auto quantile = [rows](std::array<double, 3> ranks::CollectiveRow::*of, std::size_t at) {
        return [rows, of, at](Row row) { return ((*rows)[row].*of)[at]; };
    };
    std::vector<Field> fields;
    fields.push_back(textField("group", QObject::tr("Group"), QObject::tr("Process group"),
                               [rows](Row row) { return toText((*rows)[row].group); }));
    fields.push_back(textField("kind", QObject::tr("Kind"), QString(),
                               [rows](Row row) { return toText((*rows)[row].kind); }));
    fields.push_back(numberField("ranks", QObject::tr("Ranks"), QObject::tr("Members"),
                                 [rows](Row row) { return double((*rows)[row].members); }));
    fields.push_back(
        {fieldColumn("bytes", QObject::tr("Size"),
                     QObject::tr("Larger buffer of a rank, as counted by nccl-tests"), false),
         [rows](Row row) {
             const std::uint64_t bytes = (*rows)[row].bytes;
             return bytes == 0 ? QString() : toText(text::formatBytes(bytes));
         },
         [rows](Row row) { return double((*rows)[row].bytes); }});
    fields.push_back(numberField("count", QObject::tr("Count"), QString(),
                                 [rows](Row row) { return double((*rows)[row].count); }));
    const std::array<const char*, 3> took{"took_20_ns", "took_50_ns", "took_80_ns"};
    const std::array<const char*, 3> waited{"waited_20_ns", "waited_50_ns", "waited_80_ns"};
    const std::array<int, 3> percent{20, 50, 80};
    for (std::size_t i = 0; i < percent.size(); ++i) {
        fields.push_back(timeField(took[i], QObject::tr("Took µs %1 %").arg(percent[i]),
                                   QObject::tr("From the last arrival to the end"),
                                   quantile(&ranks::CollectiveRow::tookNs, i),
                                   text::kMicroseconds));
    }
    for (std::size_t i = 0; i < percent.size(); ++i) {
        fields.push_back(timeField(waited[i], QObject::tr("Waited µs %1 %").arg(percent[i]),
                                   QObject::tr("From the first arrival to the last"),
                                   quantile(&ranks::CollectiveRow::waitedNs, i),
                                   text::kMicroseconds));
    }
    fields.push_back({fieldColumn("bus_gb_per_s", QObject::tr("Bus GB/s"),
                                  QObject::tr("Bus bandwidth at the median time taken"), false),
                      [rows](Row row) {
                          const double rate = (*rows)[row].busGbPerS;
                          return rate > 0.0 ? QString::number(rate, 'f', 1) : QString();
                      },
                      [rows](Row row) {
                          const double rate = (*rows)[row].busGbPerS;
                          return rate > 0.0 ? rate : kNone;
                      }});
    return std::make_unique<JobTableModel>(std::move(fields), rows->size());
}

std::unique_ptr<JobTableModel> makeClockModel(const Shown& shown) {
    const auto clock = [shown](TimeNs ranks::RankClock::*of) {
        return [shown, of](Row row) {
            const ranks::RankClock& one = shown->job.clocks[row];
            return one.aligned ? static_cast<double>(one.*of) : kNone;
        };
    };
    std::vector<Field> fields;
    fields.push_back(rankField(shown));
    fields.push_back(hostField(shown));
    fields.push_back(timeField("offset_ns", QObject::tr("Offset µs"),
                               QObject::tr("Its clock minus the first rank’s; empty: it shares no "
                                           "collective and cannot be aligned"),
                               clock(&ranks::RankClock::offsetNs), text::kMicroseconds));
    fields.push_back(timeField("residual_ns", QObject::tr("Residual µs"),
                               QObject::tr("Median distance between common ends after alignment"),
                               clock(&ranks::RankClock::residualNs), text::kMicroseconds));
    fields.push_back(textField("file", QObject::tr("File"), QString(),
                               [shown](Row row) { return toText(shown->job.records[row].file); }));
    return std::make_unique<JobTableModel>(std::move(fields), shown->job.records.size());
}

std::unique_ptr<JobTableModel> makePrintedModel(text::PrintedTable table) {
    const auto printed = std::make_shared<const text::PrintedTable>(std::move(table));
    std::vector<Field> fields;
    for (std::size_t c = 0; c < printed->columns.size(); ++c) {
        const text::PrintedTable::Column& column = printed->columns[c];
        const QString title = style::shownText(std::string_view(column.title));
        const auto cell = [printed, c](Row row) { return toText(printed->rows[row][c]); };
        Field field{
            fieldColumn("", title.left(1).toUpper() + title.mid(1), QString(), column.isName),
            cell};
        field.column.key = QString(title).replace(QLatin1Char(' '), QLatin1Char('_'));
        if (!column.isName) {
            field.number = [cell](Row row) {
                bool isNumber = false;
                const double value = cell(row).toDouble(&isNumber);
                return isNumber ? value : kNone;
            };
        }
        fields.push_back(std::move(field));
    }
    return std::make_unique<JobTableModel>(std::move(fields), printed->rows.size());
}

}  // namespace kinetoscope::job
