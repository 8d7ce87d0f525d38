// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QString>
#include <utility>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::panels {

/// Figures side by side, on as many lines as they need: none is ever cut.
class FigureLine final : public QLabel {
    Q_OBJECT

public:
    /// Label and value.
    using Figure = std::pair<QString, QString>;

    explicit FigureLine(QWidget* parent = nullptr);
    void setFigures(const std::vector<Figure>& figures);
    /// A sentence instead; of what is wrong when `error`.
    void setSentence(const QString& text, bool error = false);
};

[[nodiscard]] FigureLine::Figure timeFigure(const QString& name, TimeNs ns);
/// Of a part of a nanosecond too.
[[nodiscard]] FigureLine::Figure timeFigure(const QString& name, double ns);

}  // namespace kinetoscope::panels
