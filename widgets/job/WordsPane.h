// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <string>
#include <vector>

namespace kinetoscope::job {

/// The selection as text that can be copied.
class WordsPane final : public QWidget {
    Q_OBJECT

public:
    explicit WordsPane(QWidget* parent = nullptr);

    void tell(const QString& heading, const QString& text);

    [[nodiscard]] QString heading() const { return m_heading->text(); }
    [[nodiscard]] QString text() const { return m_text->toPlainText(); }

private:
    QLabel* m_heading;
    QPlainTextEdit* m_text;
};

/// Sentences of core as paragraphs, as they are; of a very long one the beginning.
[[nodiscard]] QString paragraphs(const std::vector<std::string>& sentences);
/// A title of core as a heading.
[[nodiscard]] QString capitalised(const std::string& title);

}  // namespace kinetoscope::job
