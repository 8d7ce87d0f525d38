// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/parts/TableBar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

namespace {

constexpr int kMinFilter = 110;
constexpr int kBeforeAllElse = 1000;  // as a stretch

}  // namespace

QWidget* makeTableBar(const TableBar& parts, QWidget* parent) {
    auto* bar = new QWidget(parent);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    for (QWidget* choice : parts.choices) {
        layout->addWidget(choice);
    }
    layout->addStretch(1);
    layout->addWidget(parts.state);
    addFilter(*layout, *parts.filter, parts.hint, parts.filterWidth);
    parts.state->setTextFormat(Qt::PlainText);
    parts.state->setForegroundRole(QPalette::PlaceholderText);
    return bar;
}

// Wider than it needs to be before anything else is: only its own width ends that.
void addFilter(QHBoxLayout& layout, QLineEdit& filter, const QString& hint, int width) {
    filter.setObjectName(QStringLiteral("filter"));
    filter.setPlaceholderText(hint);
    filter.setClearButtonEnabled(true);
    filter.setMinimumWidth(kMinFilter);
    filter.setMaximumWidth(width);
    layout.addWidget(&filter, kBeforeAllElse);
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
