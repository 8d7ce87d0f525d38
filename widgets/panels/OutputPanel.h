// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// The last lines of the recorded program's output.
class OutputPanel final : public Panel {
    Q_OBJECT

public:
    explicit OutputPanel(const PanelContext& context, QWidget* parent = nullptr);

private:
    void append(const QString& text);
    void followEnd();

    QPlainTextEdit* m_text;
    bool m_follows = true;     ///< until the user looks at earlier lines
    bool m_overwrite = false;  ///< a carriage return came: the next text replaces the last line
};

}  // namespace kinetoscope::panels
