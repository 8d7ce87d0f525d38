// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/AchievedColumns.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/report/AchievedColumns.h"
#include "core/text/Format.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("AchievedColumns", text);
}

const report::RooflineColumn& at(AchievedColumn column) {
    return *report::achievedColumns()[static_cast<std::size_t>(column)];
}

// Against a roof, which not every row has.
bool needsRoof(AchievedColumn column) {
    return column == AchievedColumn::Efficiency || column == AchievedColumn::Recoverable;
}

QString missingText(const model::Achieved& one) {
    const QString reason = toText(model::missingText(one.missing));
    return one.missing == model::Missing::Shapes
               ? tr("%1 (record with record_shapes=True)").arg(reason)
               : reason;
}

QString tipOf(const model::Achieved& one, AchievedColumn column) {
    if (!one.isKnown()) {
        return tr("Not modelled: %1").arg(missingText(one));
    }
    const model::RooflineRow& row = one.row;
    const QString flops =
        row.hasFlops()
            ? tr("%1 FLOPs").arg(toText(text::formatCount(static_cast<std::int64_t>(row.flops))))
            : tr("An unknown number of FLOPs");
    QString tip = tr("%1 and %2 in %3")
                      .arg(flops, toText(text::formatBytes(row.bytes)),
                           toText(text::formatDuration(row.timeNs)));
    if (needsRoof(column) && !row.efficiency && row.note.empty()) {
        tip += QLatin1Char('\n') + tr("No roof is known for this GPU and data type.");
    }
    if (needsRoof(column) && row.efficiency && !row.roof.empty()) {
        tip += QLatin1Char('\n') + tr("Roof: %1").arg(toText(row.roof));
    }
    if (!row.note.empty()) {
        tip += QLatin1Char('\n') + toText(row.note);
    }
    if (one.missingNs > 0) {
        tip += QLatin1Char('\n') +
               tr("Another %1 of it is not modelled: %2")
                   .arg(toText(text::formatDuration(one.missingNs)), missingText(one));
    }
    return tip;
}

}  // namespace

std::vector<TableColumn> achievedColumns() {
    std::vector<TableColumn> columns;
    for (const report::RooflineColumn* column : report::achievedColumns()) {
        columns.push_back({toText(column->key), toText(column->title), figureTip(column->key)});
    }
    return columns;
}

QString achievedText(const model::Achieved* one, AchievedColumn column, text::TimeUnit unit) {
    return toText(report::achievedText(one, at(column), unit));
}

double achievedNumber(const model::Achieved* one, AchievedColumn column) {
    const report::RooflineValue value = report::achievedValue(one, at(column));
    if (const auto* time = std::get_if<std::uint64_t>(&value)) {
        return static_cast<double>(*time);
    }
    const auto* measure = std::get_if<double>(&value);
    return measure != nullptr ? *measure : std::numeric_limits<double>::quiet_NaN();
}

QVariant achievedExtra(const model::Achieved* one, AchievedColumn column, int role,
                       const QString& whyNone) {
    if (role == Qt::ToolTipRole) {
        return one == nullptr ? whyNone : tipOf(*one, column);
    }
    if (column != AchievedColumn::Efficiency || std::isnan(achievedNumber(one, column))) {
        return {};
    }
    if (role == ShareRole) {
        return std::min(*one->row.efficiency, 1.0);
    }
    if (role == ToneRole && *one->row.efficiency > 1.0) {
        return static_cast<int>(CellTone::Warning);
    }
    return {};
}

}  // namespace kinetoscope::models
