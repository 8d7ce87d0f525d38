// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/ranks/view/ShownJob.h"
#include "core/text/PrintedTable.h"
#include "widgets/models/fields/FieldModel.h"

namespace kinetoscope::job {

using models::Field;
using JobTableModel = models::FieldModel;

using Shown = std::shared_ptr<const ranks::view::ShownJob>;

/// The tables of `kscope ranks`. Rows are those of Job::records, Job::steps, collectiveRows() and
/// again Job::records.
[[nodiscard]] std::unique_ptr<JobTableModel> makeRankModel(const Shown& shown);
[[nodiscard]] std::unique_ptr<JobTableModel> makeStepModel(const Shown& shown);
[[nodiscard]] std::unique_ptr<JobTableModel> makeCollectiveModel(const Shown& shown);
[[nodiscard]] std::unique_ptr<JobTableModel> makeClockModel(const Shown& shown);

/// A table that core has set; columns that are not names sort as numbers.
[[nodiscard]] std::unique_ptr<JobTableModel> makePrintedModel(text::PrintedTable table);

}  // namespace kinetoscope::job
