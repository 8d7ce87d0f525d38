// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/Chart.h"
#include "widgets/session/CompareState.h"

namespace kinetoscope::plots {

/// A chart about the shown comparison. It is replotted when that, the selected kernel or the theme
/// changes.
class CompareChart : public Chart {
    Q_OBJECT

public:
    explicit CompareChart(session::CompareState& state, QWidget* parent = nullptr);

protected:
    void drawContents() final;
    /// Adds what there is to see; nothing has been added yet.
    virtual void fill(const session::ComparedPair& pair) = 0;

    [[nodiscard]] session::CompareState& state() const { return m_state; }
    /// The noun for a row of the comparison: "kernel", "calls" …
    [[nodiscard]] static QString noun(const session::ComparedPair& pair, std::size_t count = 1);
    [[nodiscard]] static QColor verdictColor(stats::Verdict verdict);

private:
    session::CompareState& m_state;
};

}  // namespace kinetoscope::plots
