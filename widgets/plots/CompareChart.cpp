// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/CompareChart.h"

#include "core/compare/CompareText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

CompareChart::CompareChart(session::CompareState& state, QWidget* parent)
    : Chart(parent), m_state(state) {
    connect(&state, &session::CompareState::shownChanged, this, &CompareChart::refill);
    connect(&state, &session::CompareState::kernelSelected, this, &CompareChart::refill);
}

void CompareChart::drawContents() {
    if (const session::ComparedPair* pair = m_state.shown()) {
        fill(*pair);
    } else {
        setHint(tr("Choose a baseline and a candidate among the runs and press Compare."));
    }
}

QString CompareChart::noun(const session::ComparedPair& pair, std::size_t count) {
    const std::string_view word = compare::rowNoun(pair.comparison.results, count);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

QColor CompareChart::verdictColor(stats::Verdict verdict) {
    const style::Theme& theme = style::Theme::current();
    switch (verdict) {
        case stats::Verdict::Slower:
            return theme.error();
        case stats::Verdict::Faster:
            return theme.good();
        case stats::Verdict::Same:
            return theme.mutedText();
        case stats::Verdict::Unsure:
            break;
    }
    return theme.warning();
}

}  // namespace kinetoscope::plots
