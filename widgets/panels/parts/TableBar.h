// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;
class QWidget;

namespace kinetoscope::panels {

/// What stands above a table.
struct TableBar {
    std::vector<QWidget*> choices;  ///< at the left, in order
    QLabel* state;                  ///< how much the table holds; plain text
    QLineEdit* filter;              ///< gets the object name "filter"
    QString hint;                   ///< in the empty filter
    int filterWidth = 220;          ///< pixels where there is room
};

/// The bar owns all of them.
[[nodiscard]] QWidget* makeTableBar(const TableBar& parts, QWidget* parent);

/// Adds a filter, `width` pixels wide where there is room, with the object name "filter".
void addFilter(QHBoxLayout& layout, QLineEdit& filter, const QString& hint, int width);

/// A label before a choice, which its mnemonic leads to.
[[nodiscard]] QLabel* titleOf(QWidget* choice, const QString& text);

/// Makes a button of a bar that ends a choice: a cross beside its text, hidden until there is one.
void makeEndingButton(QToolButton& button, const QString& tip);

}  // namespace kinetoscope::panels
