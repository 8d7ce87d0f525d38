// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/report/Report.h"

namespace kinetoscope {

/// The figures of one GPU: shares as tiles, the breakdown as a bar with numbers that sum to the
/// window, why it was idle, what was launched. `traceStart` is what times are counted from.
class GpuSection final : public QWidget {
    Q_OBJECT

public:
    GpuSection(const GpuReport& gpu, TimeNs traceStart, QWidget* parent = nullptr);

private:
    void addTiles(const GpuReport& gpu);
    void addBreakdown(const GpuReport& gpu);
    void addIdleReasons(const IdleReasons& idle);
    void addWork(const GpuReport& gpu);
};

}  // namespace kinetoscope
