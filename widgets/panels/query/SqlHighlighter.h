// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QSyntaxHighlighter>

namespace kinetoscope::panels {

/// Makes the words of SQL, its strings, numbers and comments look different.
class SqlHighlighter final : public QSyntaxHighlighter {
    Q_OBJECT

public:
    explicit SqlHighlighter(QTextDocument& document);

    /// In capitals.
    [[nodiscard]] static const QStringList& keywords();
    /// Tables, their columns and functions, each once.
    [[nodiscard]] static const QStringList& names();

protected:
    void highlightBlock(const QString& text) override;
};

}  // namespace kinetoscope::panels
