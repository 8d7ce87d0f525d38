// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/AchievedColumns.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <limits>

#include "core/report/RooflineTable.h"
#include "core/text/Format.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

constexpr std::array<std::string_view, kAchievedColumns> kKeys{"tflop_per_s", "gb_per_s",
                                                               "efficiency", "recoverable_ns"};

QString tr(const char* text) {
    return QCoreApplication::translate("AchievedColumns", text);
}

const report::RooflineColumn& at(AchievedColumn column) {
    return *std::ranges::find(report::rooflineColumns(), kKeys[static_cast<std::size_t>(column)],
                              &report::RooflineColumn::key);
}

// Against a roof, which not every row has.
bool needsRoof(AchievedColumn column) {
    return column == AchievedColumn::Efficiency || column == AchievedColumn::Recoverable;
}

bool isTold(const model::Achieved* one, AchievedColumn column) {
    return one != nullptr && one->isKnown() && (!needsRoof(column) || one->row.efficiency);
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
    QString tip =
        tr("%1 FLOPs and %2 in %3")
            .arg(toText(text::formatCount(static_cast<std::int64_t>(row.flops))),
                 toText(text::formatBytes(row.bytes)), toText(text::formatDuration(row.timeNs)));
    if (needsRoof(column) && !row.efficiency && row.note.empty()) {
        tip += QLatin1Char('\n') + tr("No roof of this GPU and type is known.");
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
    for (const std::string_view key : kKeys) {
        const auto column = static_cast<AchievedColumn>(columns.size());
        columns.push_back({toText(key), toText(at(column).title), figureTip(key)});
    }
    return columns;
}

QString achievedText(const model::Achieved* one, AchievedColumn column) {
    return isTold(one, column) ? toText(at(column).shown(one->row)) : QString();
}

double achievedNumber(const model::Achieved* one, AchievedColumn column) {
    if (!isTold(one, column)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const report::RooflineValue value = at(column).value(one->row);
    const auto* measure = std::get_if<double>(&value);
    return measure != nullptr ? *measure : static_cast<double>(std::get<std::uint64_t>(value));
}

QVariant achievedExtra(const model::Achieved* one, AchievedColumn column, int role,
                       const QString& whyNone) {
    if (role == Qt::ToolTipRole) {
        return one == nullptr ? whyNone : tipOf(*one, column);
    }
    if (column != AchievedColumn::Efficiency || !isTold(one, column)) {
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
