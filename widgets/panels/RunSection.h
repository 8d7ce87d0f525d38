// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/trace/Trace.h"

namespace kinetoscope::panels {

/// The file's facts about the run: where it comes from, devices, distribution, other keys.
class RunSection final : public QWidget {
    Q_OBJECT

public:
    explicit RunSection(const trace::Trace& trace, QWidget* parent = nullptr);
};

}  // namespace kinetoscope::panels
