// SPDX-License-Identifier: Apache-2.0
#include "core/text/TextTable.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "core/text/Printable.h"

namespace kinetoscope::text {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLabelWidth = 14;
// Items get at least this much room, however narrow the terminal.
constexpr std::size_t kMinItemRoom = 24;

std::string dressed(bool colour, const char* code, const std::string& text) {
    return colour && !text.empty() ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
}

std::string repeated(const char* piece, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += piece;
    }
    return text;
}

std::size_t roomOf(const TextStyle& style, std::size_t indent) {
    return style.width == 0 ? std::numeric_limits<std::size_t>::max()
                            : style.width - std::min(indent, style.width);
}

}  // namespace

std::string TextStyle::heading(const std::string& text) const {
    return dressed(colour, "1", text);
}

std::string TextStyle::faint(const std::string& text) const {
    return dressed(colour, "2", text);
}

std::string TextStyle::warning(const std::string& text) const {
    return dressed(colour, "33", text);
}

std::vector<std::size_t> TextTable::naturalWidths() const {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        std::size_t width = displayWidth(m_columns[column].title);
        for (const auto& row : m_rows) {
            width = std::max(width, displayWidth(row[column]));
        }
        widths.push_back(width);
    }
    return widths;
}

TextTable::Layout TextTable::layout(std::size_t room) const {
    Layout layout{{}, naturalWidths()};
    const auto leastOf = [&](std::size_t column) {
        const std::size_t least = m_columns[column].shrinkTo;
        return least > 0 ? std::min(least, layout.widths[column]) : layout.widths[column];
    };
    layout.shown = columnsWithin(room, leastOf);
    // Width beyond the columns' minimum is taken from the left until the rest fits.
    std::size_t wide = layout.shown.empty() ? 0 : kGap * (layout.shown.size() - 1);
    for (const std::size_t column : layout.shown) {
        wide += layout.widths[column];
    }
    for (const std::size_t column : layout.shown) {
        const std::size_t spare = layout.widths[column] - leastOf(column);
        const std::size_t less = std::min(wide - std::min(wide, room), spare);
        layout.widths[column] -= less;
        wide -= less;
    }
    return layout;
}

// The columns that stay when each has its least width.
template <class LeastOf>
std::vector<std::size_t> TextTable::columnsWithin(std::size_t room, LeastOf leastOf) const {
    std::vector<std::size_t> all(m_columns.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::size_t sum = 0;
    for (const std::size_t column : all) {
        sum += leastOf(column) + kGap;
    }
    std::vector<std::size_t> victims = all;
    std::ranges::stable_sort(victims, std::greater{},
                             [this](std::size_t column) { return m_columns[column].droppable; });
    std::vector<bool> dropped(m_columns.size());
    for (const std::size_t column : victims) {
        // There is no gap after the last one.
        if (sum - kGap <= room || m_columns[column].droppable == 0) {
            break;
        }
        sum -= leastOf(column) + kGap;
        dropped[column] = true;
    }
    std::erase_if(all, [&](std::size_t column) { return dropped[column]; });
    return all;
}

std::string TextTable::line(const Layout& layout, const std::vector<std::string>& cells) const {
    std::string line;
    for (const std::size_t column : layout.shown) {
        const std::size_t width = layout.widths[column];
        const auto shorten =
            m_columns[column].shorten == nullptr ? fitWidth : m_columns[column].shorten;
        const std::string cell =
            m_columns[column].overflows ? cells[column] : shorten(cells[column], width);
        line += line.empty() && column == layout.shown.front() ? "" : std::string(kGap, ' ');
        line += m_columns[column].rightAligned ? padLeft(cell, width) : padRight(cell, width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::size_t TextTable::columnsShown(const TextStyle& style, std::size_t indent) const {
    return layout(roomOf(style, indent)).shown.size();
}

std::string TextTable::text(const TextStyle& style, std::size_t indent) const {
    const Layout columns = layout(roomOf(style, indent));
    std::vector<std::string> titles;
    std::vector<std::string> rules;
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        titles.push_back(m_columns[column].title);
        rules.push_back(repeated("─", columns.widths[column]));
    }
    const std::string margin(indent, ' ');
    std::string text = margin + style.heading(line(columns, titles)) + "\n" + margin +
                       style.faint(line(columns, rules)) + "\n";
    for (const auto& row : m_rows) {
        const std::string body = line(columns, row);
        text += body.empty() ? "\n" : margin + body + "\n";
    }
    return text;
}

std::string paragraph(std::string_view text, std::size_t width, std::size_t indent) {
    std::string lines(indent, ' ');
    std::size_t at = indent;
    while (!text.empty()) {
        const auto end = text.find(' ');
        const std::string_view word = text.substr(0, end);
        const std::size_t columns = displayWidth(word);
        const bool isFirst = at == indent;
        if (!isFirst && width > 0 && at + 1 + columns > width) {
            lines += "\n" + std::string(indent, ' ');
            at = indent;
        } else if (!isFirst) {
            lines += ' ';
            ++at;
        }
        lines += word;
        at += columns;
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines + "\n";
}

std::string labelledItems(const std::string& label, const std::vector<std::string>& items,
                          const TextStyle& style) {
    const std::size_t room =
        style.width == 0 ? 0 : std::max<std::size_t>(style.width, kLabelWidth + 2 + kMinItemRoom);
    std::string text = "  " + style.faint(padRight(label, kLabelWidth));
    std::size_t at = kLabelWidth + 2;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string item = i + 1 < items.size() ? items[i] + "," : items[i];
        const std::size_t columns = displayWidth(item);
        if (i > 0 && room > 0 && at + 1 + columns > room) {
            text += "\n" + std::string(kLabelWidth + 2, ' ');
            at = kLabelWidth + 2;
        } else if (i > 0) {
            text += " ";
            ++at;
        }
        const std::size_t left = room > at ? room - at : 0;
        text += room > 0 && columns > left ? fitWidth(item, left) : item;
        at += columns;
    }
    return text + "\n";
}

}  // namespace kinetoscope::text
