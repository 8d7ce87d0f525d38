// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/SliceToolTip.h"

#include <QRegularExpression>
#include <algorithm>

#include "core/text/Format.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::timeline {

namespace {

constexpr qsizetype kMaxNameLength = 400;
constexpr qsizetype kMaxSignatureLength = 160;
constexpr qsizetype kLineLength = 64;
constexpr std::size_t kMaxToldSeries = 12;  // of a counter, listed one by one

// Names of kernels have no spaces: one alone would be wider than the window.
QString inLines(const QString& name) {
    static const QRegularExpression line(
        QStringLiteral(".{1,%1}$|.{1,%1}[ ,_:>]|.{1,%1}").arg(kLineLength),
        QRegularExpression::DotMatchesEverythingOption);
    QStringList lines;
    for (auto found = line.globalMatch(name); found.hasNext();) {
        lines.append(found.next().captured().toHtmlEscaped());
    }
    return lines.join(QStringLiteral("<br>"));
}

QString heading(std::string_view name) {
    return QStringLiteral("<b>%1</b>").arg(inLines(style::shownText(name, kMaxNameLength)));
}

/// Templates make names of kernels longer than a tool tip should be: the short one leads.
QString headingOf(const trace::Trace& trace, trace::SliceId slice) {
    const std::string_view name = trace.name(slice);
    if (trace.category(slice) != trace::Category::Kernel) {
        return heading(name);
    }
    const std::string brief = text::shortKernelName(name);
    return brief == name ? heading(name)
                         : heading(brief) + QStringLiteral("<br>") +
                               style::shownText(name, kMaxSignatureLength).toHtmlEscaped();
}

class Table {
public:
    void add(const QString& key, const QString& value) {
        m_rows += QStringLiteral("<tr><td style='padding-right:10px'>%1</td><td>%2</td></tr>")
                      .arg(key, style::shownText(value).toHtmlEscaped());
    }
    void add(const QString& key, const std::string& value) {
        add(key, QString::fromStdString(value));
    }
    [[nodiscard]] QString text() const { return QStringLiteral("<table>%1</table>").arg(m_rows); }

private:
    QString m_rows;
};

template <class Size>
QString sizeText(const std::array<Size, 3>& size) {
    return QStringLiteral("%1 × %2 × %3").arg(size[0]).arg(size[1]).arg(size[2]);
}

void addOperation(Table& table, const trace::GpuOperation& operation) {
    table.add(QStringLiteral("Stream"), QString::number(operation.stream));
    if (operation.grid[0] > 0) {
        table.add(QStringLiteral("Grid"), sizeText(operation.grid));
        table.add(QStringLiteral("Block"), sizeText(operation.block));
    }
    if (operation.registers > 0) {
        table.add(QStringLiteral("Registers"), QString::number(operation.registers));
    }
    if (operation.sharedBytes > 0) {
        table.add(QStringLiteral("Shared memory"), text::formatBytes(operation.sharedBytes));
    }
    if (operation.occupancyPercent >= 0) {
        table.add(QStringLiteral("Occupancy"),
                  QStringLiteral("%1 % (estimated)").arg(operation.occupancyPercent));
    }
    if (operation.bytes > 0) {
        table.add(QStringLiteral("Size"), text::formatBytes(operation.bytes));
    }
}

void addCategory(Table& table, const trace::Trace& trace, trace::CategoryId category) {
    if (const auto text = trace.categoryText(category); !text.empty()) {
        table.add(QStringLiteral("Category"), style::shownText(text, kMaxNameLength));
    }
}

}  // namespace

const trace::GpuOperation* gpuOperationOf(const trace::Trace& trace, trace::SliceId slice) {
    const auto all = trace.gpuOperations();
    const auto found = std::ranges::lower_bound(all, slice, {}, &trace::GpuOperation::slice);
    return found != all.end() && found->slice == slice ? &*found : nullptr;
}

QString toolTipFor(const trace::Trace& trace, const query::ViewItem& item) {
    const trace::SliceId slice = item.slice;
    Table table;
    table.add(QStringLiteral("Duration"), text::formatDuration(trace.duration(slice)));
    table.add(QStringLiteral("Start"),
              text::formatDuration(trace.start(slice) - trace.extent().start));
    addCategory(table, trace, trace.categoryId(slice));
    if (const trace::GpuOperation* operation = gpuOperationOf(trace, slice)) {
        addOperation(table, *operation);
    }
    QString text = headingOf(trace, slice) + table.text();
    if (item.count > 1) {
        text += QStringLiteral("<i>the longest of %1 slices here, which cover %2 % of the time</i>")
                    .arg(QString::fromStdString(text::formatCount(item.count)))
                    .arg(100.0 * static_cast<double>(item.busy), 0, 'f', 0);
    }
    return text;
}

QString toolTipFor(const trace::Trace& trace, const InstantMark& mark) {
    const trace::Instant& instant = trace.instants()[mark.instant];
    Table table;
    table.add(QStringLiteral("Time"), text::formatDuration(instant.time - trace.extent().start));
    addCategory(table, trace, instant.category);
    QString text = heading(trace.text(instant.name)) + table.text();
    if (mark.count > 1) {
        text += QStringLiteral("<i>and %1 more here</i>")
                    .arg(QString::fromStdString(text::formatCount(mark.count - 1)));
    }
    return text;
}

QString toolTipFor(const trace::Trace& trace, const analysis::NamedGap& gap) {
    const auto whole = static_cast<double>(gap.span.duration());
    Table table;
    table.add(QStringLiteral("Start"), text::formatDuration(gap.span.start - trace.extent().start));
    for (const analysis::IdleReason reason : analysis::kIdleReasons) {
        if (const TimeNs part = gap.parts.of(reason); part > 0) {
            table.add(style::shownText(analysis::idleReasonLabel(reason)),
                      text::formatPercent(static_cast<double>(part), whole));
        }
    }
    if (gap.host.slice != trace::kNoSlice) {
        table.add(QStringLiteral("Host activity"),
                  style::shownText(trace.name(gap.host.slice), kMaxNameLength));
    } else if (gap.parts.hostNs > 0) {
        table.add(QStringLiteral("Host activity"), QStringLiteral("nothing recorded"));
    }
    if (gap.next != trace::kNoSlice) {
        table.add(QStringLiteral("Next"),
                  style::shownText(text::shortKernelName(trace.name(gap.next)), kMaxNameLength));
    }
    return heading(trace::gpuName(gap.gpu) + " idle for " +
                   text::formatDuration(gap.span.duration())) +
           table.text();
}

QString toolTipFor(const trace::Trace& trace, trace::TrackId counter,
                   std::span<const query::CounterSeries> series, TimeNs time) {
    Table table;
    std::optional<TimeNs> since;
    for (const query::CounterSeries& one : series.first(std::min(series.size(), kMaxToldSeries))) {
        const auto at = query::sampleAt(trace, one, time);
        if (!at) {
            continue;
        }
        const trace::CounterSample& sample = trace.counters()[one.samples[*at]];
        const std::string_view name = trace.text(one.name);
        table.add(name.empty() ? QStringLiteral("Value")
                               : style::shownText(name, kMaxNameLength).toHtmlEscaped(),
                  text::formatQuantity(sample.value, query::countsBytes(trace, counter, one.name)));
        since = std::max(since.value_or(sample.time), sample.time);
    }
    if (!since) {
        return {};
    }
    table.add(QStringLiteral("Since"), text::formatDuration(*since - trace.extent().start));
    QString tip = heading(trace.rowIdText(trace.tracks()[counter].tid)) + table.text();
    if (series.size() > kMaxToldSeries) {
        tip += QStringLiteral("<i>and %1 more series</i>").arg(series.size() - kMaxToldSeries);
    }
    return tip;
}

}  // namespace kinetoscope::timeline
