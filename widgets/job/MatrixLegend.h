// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/job/JobState.h"

namespace kinetoscope::job {

class MatrixView;

/// Legend of a matrix's colours: a strip of them with its ends labelled.
class MatrixLegend final : public QWidget {
    Q_OBJECT

public:
    MatrixLegend(JobState& state, const MatrixView& matrix, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    /// Lowest and highest value, as they are written.
    [[nodiscard]] QString lowText() const;
    [[nodiscard]] QString highText() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    JobState& m_state;
    const MatrixView& m_matrix;
};

}  // namespace kinetoscope::job
