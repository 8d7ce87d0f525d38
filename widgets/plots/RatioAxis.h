// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace kinetoscope::plots {

/// For ratios, where halves and doubles are as far from 1: a logarithmic axis around 1 from below
/// `least` to above `most`, with as many round ratios as there is room for.
void setRatioAxis(QCPAxis* axis, double least, double most);

}  // namespace kinetoscope::plots
