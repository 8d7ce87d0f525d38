// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariant>
#include <vector>

#include "core/model/Achieved.h"
#include "core/text/Units.h"
#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// Columns of what the calls behind a row achieved, which tables of kernels and operators share.
enum class AchievedColumn { TeraflopsPerSecond, GigabytesPerSecond, Efficiency, Recoverable };
inline constexpr int kAchievedColumns = 4;

/// In the order of AchievedColumn; the header of recoverable time lacks its unit.
[[nodiscard]] std::vector<TableColumn> achievedColumns();

/// Times in `unit`; "" where nothing is known; null like that.
[[nodiscard]] QString achievedText(const model::Achieved* one, AchievedColumn column,
                                   text::TimeUnit unit);
/// Not-a-number where nothing is known.
[[nodiscard]] double achievedNumber(const model::Achieved* one, AchievedColumn column);
/// See TableRole. `whyNone` is the tool tip where `one` is null.
[[nodiscard]] QVariant achievedExtra(const model::Achieved* one, AchievedColumn column, int role,
                                     const QString& whyNone);

}  // namespace kinetoscope::models
