// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/analysis/Compat.h"

namespace kinetoscope::panels {

/// PyTorch's own figures of a trace: shares of the wall time, both utilisations or why there are
/// none, and the longest kernels of each category.
class CompatTables final : public QWidget {
    Q_OBJECT

public:
    explicit CompatTables(const analysis::CompatReport& report, QWidget* parent = nullptr);
};

}  // namespace kinetoscope::panels
