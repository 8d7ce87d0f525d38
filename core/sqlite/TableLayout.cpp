// SPDX-License-Identifier: Apache-2.0
#include "core/sqlite/TableLayout.h"

#include <algorithm>
#include <array>
#include <bit>

namespace kinetoscope::sqlite {

namespace {

using Header = std::array<char, 100>;

std::uint32_t bigEndian(const Header& header, std::size_t at, std::size_t bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
        value = value << 8U | static_cast<unsigned char>(header[at + i]);
    }
    return value;
}

}  // namespace

std::optional<TableLayout> fileLayout(const DatabaseBytes& bytes) {
    constexpr std::uint32_t kUtf8 = 1;
    constexpr std::uint32_t kMinUsable = 480;
    Header header{};
    if (bytes.read(header.data(), header.size(), 0) != std::ssize(header) ||
        !isDatabase({header.data(), header.size()})) {
        return std::nullopt;
    }
    TableLayout layout;
    const std::uint32_t page = bigEndian(header, 16, 2);
    layout.pageBytes = page == 1 ? 65536 : page;
    const std::uint32_t reserved = bigEndian(header, 20, 1);
    layout.usableBytes = layout.pageBytes - std::min(reserved, layout.pageBytes);
    layout.isUtf8 = bigEndian(header, 56, 4) == kUtf8;
    return layout.usableBytes >= kMinUsable && std::has_single_bit(layout.pageBytes)
               ? std::optional(layout)
               : std::nullopt;
}

std::optional<TableLayout> schemaLayout(const DatabaseBytes& bytes) {
    auto layout = fileLayout(bytes);
    if (layout) {
        layout->columns.resize(5);
        layout->root = 1;
    }
    return layout;
}

}  // namespace kinetoscope::sqlite
