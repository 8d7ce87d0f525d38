// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::text {

/// How terminal text is set.
struct TextStyle {
    std::size_t width = 100;  ///< columns of the terminal; 0: as wide as it gets
    bool colour = false;
    bool fullNames = false;  ///< kernel names whole, whatever the width

    [[nodiscard]] std::string heading(const std::string& text) const;  ///< bold
    [[nodiscard]] std::string faint(const std::string& text) const;
    [[nodiscard]] std::string warning(const std::string& text) const;
};

/// Columns of text with a header, a rule under it and two blanks between. Cells must be printable
/// (see printable()). Columns that do not fit are left out or shortened.
class TextTable {
public:
    struct Column {
        std::string title;
        bool rightAligned = true;
        /// Columns of the highest number go first when the table is too wide; 0 always stays.
        int droppable = 0;
        /// May be shortened with "…" down to this width; 0: never.
        std::size_t shrinkTo = 0;
        /// Never shortened, may run over the right edge; `shrinkTo` is what the layout reckons
        /// with.
        bool overflows = false;
        /// How a cell is shortened; without: its middle gives way.
        std::string (*shorten)(std::string_view text, std::size_t width) = nullptr;
    };

    explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}
    /// As many cells as there are columns.
    void addRow(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    [[nodiscard]] bool empty() const { return m_rows.empty(); }

    /// Lines with `indent` blanks before them, each ended by a newline, no blanks at line ends.
    [[nodiscard]] std::string text(const TextStyle& style, std::size_t indent = 2) const;

    /// How many columns have room; the others are left out.
    [[nodiscard]] std::size_t columnsShown(const TextStyle& style, std::size_t indent = 2) const;

private:
    struct Layout {
        std::vector<std::size_t> shown;   ///< indices of the columns that stay
        std::vector<std::size_t> widths;  ///< by column index
    };

    [[nodiscard]] std::vector<std::size_t> naturalWidths() const;
    [[nodiscard]] Layout layout(std::size_t room) const;
    template <class LeastOf>
    [[nodiscard]] std::vector<std::size_t> columnsWithin(std::size_t room, LeastOf leastOf) const;
    [[nodiscard]] std::string line(const Layout& layout,
                                   const std::vector<std::string>& cells) const;

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// The words of `text` on lines of at most `width` columns (0: one line), each after `indent`
/// blanks and ended by a newline. A longer word has a line of its own.
[[nodiscard]] std::string paragraph(std::string_view text, std::size_t width, std::size_t indent);

/// "  label         items, separated by commas," and the next line below the first item, within the
/// style's width.
[[nodiscard]] std::string labelledItems(const std::string& label,
                                        const std::vector<std::string>& items,
                                        const TextStyle& style);

}  // namespace kinetoscope::text
