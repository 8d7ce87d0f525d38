// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/ImportLogModel.h"

#include "core/text/Format.h"
#include "core/trace/ImportIssues.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

std::vector<TableColumn> logColumns() {
    using S = QString;
    return {
        {S::fromLatin1("severity"), S::fromLatin1("Severity"),
         S::fromLatin1("data loss: part of the file is missing from the trace; warning: read with "
                       "a correction; info: read as is"),
         Qt::AlignLeft},
        {S::fromLatin1("name"), S::fromLatin1("What"), S(), Qt::AlignLeft, false},
        {S::fromLatin1("count"), S::fromLatin1("Count"), S::fromLatin1("Occurrences")},
        {S::fromLatin1("first_offset"), S::fromLatin1("First at byte"),
         S::fromLatin1("Offset of the first occurrence in the decompressed text")},
        {S::fromLatin1("example"), S::fromLatin1("First occurrence"), S(), Qt::AlignLeft, false}};
}

QString severityText(trace::Severity severity) {
    return severity == trace::Severity::DataLoss ? QStringLiteral("data loss")
                                                 : toText(trace::severityName(severity));
}

QString iconOf(trace::Severity severity) {
    switch (severity) {
        case trace::Severity::DataLoss:
            return QStringLiteral("error");
        case trace::Severity::Warning:
            return QStringLiteral("warning");
        case trace::Severity::Info:
            break;
    }
    return QStringLiteral("info");
}

CellTone toneOf(trace::Severity severity) {
    switch (severity) {
        case trace::Severity::DataLoss:
            return CellTone::Error;
        case trace::Severity::Warning:
            return CellTone::Warning;
        case trace::Severity::Info:
            break;
    }
    return CellTone::Muted;
}

}  // namespace

ImportLogModel::ImportLogModel(QObject* parent) : ColumnTableModel(logColumns(), parent) {}

void ImportLogModel::setTrace(const std::shared_ptr<const trace::Trace>& trace) {
    replaceRows(
        [&] { m_issues = trace ? trace->log().sorted() : std::vector<trace::ImportIssue>(); });
}

std::uint32_t ImportLogModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_issues.size());
}

QString ImportLogModel::cellText(std::uint32_t row, int column) const {
    const trace::ImportIssue& issue = m_issues[row];
    switch (column) {
        case Level:
            return severityText(issue.severity);
        case Name:
            return toText(issue.name).replace(QLatin1Char('_'), QLatin1Char(' '));
        case Count:
            return QString::fromStdString(text::formatCount(static_cast<qint64>(issue.count)));
        case Offset:
            return QString::fromStdString(
                text::formatCount(static_cast<qint64>(issue.firstOffset)));
        default:
            return toText(issue.example);
    }
}

query::SortKey ImportLogModel::sortKey(std::uint32_t row, int column) const {
    const trace::ImportIssue& issue = m_issues[row];
    switch (column) {
        case Name:
            return std::string_view(issue.name);
        case Example:
            return std::string_view(issue.example);
        case Level:
            return static_cast<std::int64_t>(issue.severity);
        case Count:
            return static_cast<std::int64_t>(issue.count);
        default:
            return static_cast<std::int64_t>(issue.firstOffset);
    }
}

QVariant ImportLogModel::cellExtra(std::uint32_t row, int column, int role) const {
    const trace::ImportIssue& issue = m_issues[row];
    if (column == Level && role == IconNameRole) {
        return iconOf(issue.severity);
    }
    if (column == Level && role == ToneRole) {
        return static_cast<int>(toneOf(issue.severity));
    }
    if (column == Name && role == Qt::ToolTipRole) {
        return toText(trace::importIssueHelp(issue.name));
    }
    if (column == Example && role == Qt::ToolTipRole) {
        return toText(issue.example);
    }
    return {};
}

QString ImportLogModel::exportCell(std::uint32_t row, int column) const {
    const trace::ImportIssue& issue = m_issues[row];
    switch (column) {
        case Level:
            return toText(trace::severityName(issue.severity));
        case Name:
            return toText(issue.name);
        case Count:
            return QString::number(issue.count);
        case Offset:
            return QString::number(issue.firstOffset);
        default:
            return toText(issue.example);
    }
}

}  // namespace kinetoscope::models
