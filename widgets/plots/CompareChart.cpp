// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/CompareChart.h"

#include "widgets/style/Theme.h"

namespace kinetoscope {

CompareChart::CompareChart(CompareState& state, QWidget* parent) : Chart(parent), m_state(state) {
    connect(&state, &CompareState::shownChanged, this, &CompareChart::refill);
    connect(&state, &CompareState::kernelSelected, this, &CompareChart::refill);
}

void CompareChart::draw() {
    if (const ComparedPair* pair = m_state.shown()) {
        fill(*pair);
    } else {
        setHint(tr("Mark a baseline and a candidate among the runs and press Compare."));
    }
}

QColor CompareChart::verdictColor(Verdict verdict) {
    const Theme& theme = Theme::current();
    switch (verdict) {
        case Verdict::Slower:
            return theme.error();
        case Verdict::Faster:
            return theme.good();
        case Verdict::Same:
            return theme.mutedText();
        case Verdict::Unsure:
            break;
    }
    return theme.warning();
}

}  // namespace kinetoscope
