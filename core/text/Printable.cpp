// SPDX-License-Identifier: Apache-2.0
#include "core/text/Printable.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace kinetoscope::text {

namespace {

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

// C1 controls, line and paragraph separators, and marks that reorder the rest of the line.
constexpr std::array<Range, 6> kUnsafe{{{0x80, 0x9f},
                                        {0x61c, 0x61c},
                                        {0x200e, 0x200f},
                                        {0x2028, 0x202e},
                                        {0x2066, 0x2069},
                                        {0xfeff, 0xfeff}}};

bool isUnsafe(std::uint32_t code) {
    return std::ranges::any_of(
        kUnsafe, [code](Range range) { return range.first <= code && code <= range.last; });
}

struct CodePoint {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0: no valid UTF-8 here
};

CodePoint decode(std::string_view text) {
    if (const auto first = static_cast<unsigned char>(text.front()); first < 0x80) {
        return {first, 1};
    }
    utf8proc_int32_t code = 0;
    const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                        std::ssize(text), &code);
    return bytes > 0 ? CodePoint{static_cast<std::uint32_t>(code), static_cast<std::size_t>(bytes)}
                     : CodePoint{};
}

std::size_t columnsOf(std::uint32_t code) {
    return code < 0x300
               ? 1
               : static_cast<std::size_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(code)));
}

void appendControl(std::string& line, std::uint32_t code) {
    switch (code) {
        case '\n':
            line += "\\n";
            break;
        case '\r':
            line += "\\r";
            break;
        case '\t':
            line += "\\t";
            break;
        default:
            line += fmt::format("\\x{:02x}", code);
    }
}

struct Piece {
    std::size_t bytes = 0;
    std::size_t columns = 0;
};

Piece firstPiece(std::string_view text) {
    const CodePoint point = decode(text);
    return point.bytes == 0 ? Piece{1, 1} : Piece{point.bytes, columnsOf(point.code)};
}

Piece lastPiece(std::string_view text) {
    for (std::size_t bytes = std::min<std::size_t>(text.size(), 4); bytes > 1; --bytes) {
        const Piece piece = firstPiece(text.substr(text.size() - bytes));
        if (piece.bytes == bytes) {
            return piece;
        }
    }
    return firstPiece(text.substr(text.size() - 1));
}

// Bytes of the longest beginning of at most `width` columns. Looks no further.
std::size_t headWithin(std::string_view text, std::size_t width) {
    std::size_t at = 0;
    while (at < text.size()) {
        const Piece piece = firstPiece(text.substr(at));
        if (piece.columns > width) {
            break;
        }
        width -= piece.columns;
        at += piece.bytes;
    }
    return at;
}

std::size_t tailWithin(std::string_view text, std::size_t width) {
    std::size_t left = text.size();
    while (left > 0) {
        const Piece piece = lastPiece(text.substr(0, left));
        if (piece.columns > width) {
            break;
        }
        width -= piece.columns;
        left -= piece.bytes;
    }
    return text.size() - left;
}

// At most `width` columns, "…" and at most `tailRoom` columns of the end included.
std::string fitted(std::string_view text, std::size_t width, std::size_t tailRoom) {
    if (headWithin(text, width) == text.size()) {
        return std::string(text);
    }
    if (width == 0) {
        return {};
    }
    const std::string_view head = text.substr(0, headWithin(text, width - 1 - tailRoom));
    const std::string_view tail = text.substr(text.size() - tailWithin(text, tailRoom));
    return std::string(head) + "…" + std::string(tail);
}

}  // namespace

std::string printable(std::string_view text) {
    std::string line;
    line.reserve(text.size());
    while (!text.empty()) {
        const CodePoint point = decode(text);
        const std::size_t bytes = std::max<std::size_t>(point.bytes, 1);
        if (point.bytes == 0) {
            appendControl(line, static_cast<unsigned char>(text.front()));
        } else if (point.code < 0x20 || point.code == 0x7f) {
            appendControl(line, point.code);
        } else if (point.code >= 0x80 && isUnsafe(point.code)) {
            line += fmt::format("\\u{:04x}", point.code);
        } else {
            line.append(text.substr(0, bytes));
        }
        text.remove_prefix(bytes);
    }
    return line;
}

std::string printableLines(std::string_view text) {
    std::string lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines += printable(text.substr(0, end));
        lines += end == std::string_view::npos ? "" : "\n";
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

std::size_t displayWidth(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const CodePoint point = decode(text);
        columns += point.bytes == 0 ? 1 : columnsOf(point.code);
        text.remove_prefix(std::max<std::size_t>(point.bytes, 1));
    }
    return columns;
}

std::string fitWidth(std::string_view text, std::size_t width) {
    return fitted(text, width, width > 0 ? (width - 1) / 2 : 0);
}

std::string fitEnd(std::string_view text, std::size_t width) {
    return fitted(text, width, 0);
}

std::string padLeft(std::string_view text, std::size_t width) {
    const std::size_t columns = displayWidth(text);
    return std::string(width > columns ? width - columns : 0, ' ').append(text);
}

std::string padRight(std::string_view text, std::size_t width) {
    const std::size_t columns = displayWidth(text);
    return std::string(text).append(width > columns ? width - columns : 0, ' ');
}

}  // namespace kinetoscope::text
