// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

namespace kinetoscope::models {

/// Bytes that are not UTF-8 become the replacement character.
[[nodiscard]] inline QString toText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// For numbers beside prose: a minus is one, not a hyphen.
[[nodiscard]] inline QString withMinus(QString number) {
    return number.startsWith(QLatin1Char('-')) ? number.replace(0, 1, QStringLiteral("−")) : number;
}

/// Title and definition of a figure of the report, for a tool tip; empty for an unknown key.
[[nodiscard]] QString figureTip(std::string_view key);

/// For programs: counts and nanoseconds are whole, however many digits they have, anything else is
/// as short as reads back the same; nothing for not-a-number.
[[nodiscard]] QString plainNumber(double value);

}  // namespace kinetoscope::models
