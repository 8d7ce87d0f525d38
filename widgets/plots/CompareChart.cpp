// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/CompareChart.h"

#include "core/compare/CompareText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope {

CompareChart::CompareChart(CompareState& state, QWidget* parent) : Chart(parent), m_state(state) {
    connect(&state, &CompareState::shownChanged, this, &CompareChart::refill);
    connect(&state, &CompareState::kernelSelected, this, &CompareChart::refill);
}

void CompareChart::drawContents() {
    if (const ComparedPair* pair = m_state.shown()) {
        fill(*pair);
    } else {
        setHint(tr("Mark a baseline and a candidate among the runs and press Compare."));
    }
}

QString CompareChart::noun(const ComparedPair& pair, std::size_t count) {
    const std::string_view word = rowNoun(pair.comparison.results, count);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
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
