// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kinetoscope::style {

/// Gives every widget with a tool tip and no "What's this?" text of its own that text. Tables and
/// strips have more to say and do so themselves.
class WhatsThis final : public QObject {
    Q_OBJECT

public:
    /// Of all widgets of the program, as long as this lives.
    explicit WhatsThis(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace kinetoscope::style
