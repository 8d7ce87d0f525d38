// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/parts/TableBar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

QWidget* makeTableBar(const TableBar& parts, QWidget* parent) {
    auto* bar = new QWidget(parent);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    for (QWidget* choice : parts.choices) {
        layout->addWidget(choice);
    }
    layout->addStretch(1);
    layout->addWidget(parts.state);
    layout->addWidget(parts.filter);
    parts.state->setTextFormat(Qt::PlainText);
    parts.state->setForegroundRole(QPalette::PlaceholderText);
    parts.filter->setObjectName(QStringLiteral("filter"));
    parts.filter->setPlaceholderText(parts.hint);
    parts.filter->setClearButtonEnabled(true);
    parts.filter->setMinimumWidth(parts.filterWidth);
    return bar;
}

QLabel* titleOf(QWidget* choice, const QString& text) {
    auto* title = new QLabel(text);
    title->setBuddy(choice);
    return title;
}

void makeEndingButton(QToolButton& button, const QString& tip) {
    button.setIcon(style::themedIcon(QStringLiteral("close")));
    button.setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button.setAutoRaise(true);
    button.setToolTip(tip);
    button.hide();
}

}  // namespace kinetoscope::panels
