// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/report/Figures.h"

namespace kinetoscope::panels {

/// The figures of one GPU: shares as tiles, the breakdown as a bar with numbers that sum to the
/// window, why it was idle, what was launched. `traceStart` is what times are counted from.
class GpuSection final : public QWidget {
    Q_OBJECT

public:
    GpuSection(const report::GpuReport& gpu, TimeNs traceStart, QWidget* parent = nullptr);

private:
    void addTiles(const report::GpuReport& gpu);
    void addBreakdown(const report::GpuReport& gpu, TimeNs traceStart);
    /// One of the two divisions of waiting: a bar and its parts.
    void addReasons(const report::GpuReport& gpu, report::FigureGroup group, const QString& title,
                    const QString& whole, const char* explained);
    void addWork(const report::GpuReport& gpu);
};

}  // namespace kinetoscope::panels
