// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

namespace kinetoscope::style {

/// Letters beyond which no name is shown: more than any screen is wide.
inline constexpr qsizetype kMaxLetters = 1000;
/// The same for a tool tip.
inline constexpr qsizetype kMaxToolTipLetters = 4000;

/// The text, or its beginning and an ellipsis: at most `most` letters. A name of a trace may have
/// megabytes, which widgets would measure letter by letter.
[[nodiscard]] QString shownText(const QString& text, qsizetype most = kMaxLetters);
/// Of UTF-8; what is not shown is not converted either.
[[nodiscard]] QString shownText(std::string_view text, qsizetype most = kMaxLetters);

/// A tool tip that shows the text as it is, below an optional heading in bold. Qt takes text that
/// looks like HTML for HTML, and opens the files that it names: use this for the tool tip of
/// anything that may contain text from a file. Empty for an empty text.
[[nodiscard]] QString plainToolTip(const QString& text, const QString& heading = {});

/// A name as the text of an action, button or tab, where a single "&" would mark a shortcut and a
/// tab would begin one.
[[nodiscard]] QString plainActionText(const QString& name);

}  // namespace kinetoscope::style
