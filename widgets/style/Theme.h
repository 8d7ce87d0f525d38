// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <array>
#include <string_view>

#include "core/trace/Category.h"

namespace kinetoscope::style {

enum class ThemeChoice { System, Light, Dark };

/// Every colour that is drawn, derived from one palette. A plain value; GUI thread only. Widgets
/// ask current() while painting and repaint on QEvent::PaletteChange.
class Theme {
public:
    explicit Theme(const QPalette& palette);

    /// Built from the application's palette; rebuilt when that changes.
    [[nodiscard]] static const Theme& current();

    [[nodiscard]] bool isDark() const { return m_dark; }

    // Surfaces and text.
    [[nodiscard]] QColor window() const { return m_window; }
    [[nodiscard]] QColor base() const { return m_base; }      ///< behind tables and the timeline
    [[nodiscard]] QColor raised() const { return m_raised; }  ///< headers, track labels, cards
    [[nodiscard]] QColor text() const { return m_text; }
    [[nodiscard]] QColor mutedText() const { return m_mutedText; }
    [[nodiscard]] QColor border() const { return m_border; }
    [[nodiscard]] QColor grid() const { return m_grid; }  ///< time grid lines, row separators

    // Meaning.
    [[nodiscard]] QColor accent() const { return m_accent; }
    [[nodiscard]] QColor selection() const { return m_selection; }  ///< outline of what is selected
    [[nodiscard]] QColor rangeFill() const { return m_rangeFill; }  ///< translucent, selected time
    [[nodiscard]] QColor highlight() const {
        return m_highlight;
    }                                                       ///< outline of emphasised slices
    [[nodiscard]] QColor hover() const { return m_hover; }  ///< translucent
    [[nodiscard]] QColor warning() const { return m_warning; }
    [[nodiscard]] QColor error() const { return m_error; }
    [[nodiscard]] QColor good() const { return m_good; }

    // Figures: the strips above the timeline and the parts of the breakdown.
    [[nodiscard]] QColor busy() const { return compute(); }
    [[nodiscard]] QColor mmConv() const { return m_mmConv; }
    [[nodiscard]] QColor compute() const { return m_compute; }
    [[nodiscard]] QColor communication() const { return m_communication; }
    [[nodiscard]] QColor copies() const { return m_copies; }
    [[nodiscard]] QColor idle() const { return m_idle; }

    [[nodiscard]] QColor categoryColor(trace::Category category) const {
        return m_categories[static_cast<std::size_t>(category)];
    }
    /// Stable for one name in every run of the program; all have the same lightness.
    [[nodiscard]] QColor nameColor(std::string_view name) const;
    /// Black or white-ish, whichever reads better on `background`.
    [[nodiscard]] QColor textOn(const QColor& background) const;

    [[nodiscard]] static QPalette lightPalette();
    [[nodiscard]] static QPalette darkPalette();

private:
    static constexpr std::size_t kNameColors = 48;

    void setMeanings();
    void setCategories();

    bool m_dark;
    QColor m_window, m_base, m_raised, m_text, m_mutedText, m_border, m_grid;
    QColor m_accent, m_selection, m_rangeFill, m_highlight, m_hover;
    QColor m_warning, m_error, m_good;
    QColor m_mmConv, m_compute, m_communication, m_copies, m_idle;
    std::array<QColor, trace::kKnownCategories + 1> m_categories;
    std::array<QColor, kNameColors> m_names;
};

}  // namespace kinetoscope::style
