// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/memory/MemoryReport.h"
#include "core/memory/view/BlockStacks.h"

namespace kinetoscope::panels {

/// The shown memory of a trace or a snapshot; never changes.
struct ShownMemory {
    std::shared_ptr<const memory::MemoryReport> report;
    std::vector<std::shared_ptr<const memory::view::BlockStacks>> stacks;  ///< by device

    [[nodiscard]] const memory::History& history() const { return report->history; }
    [[nodiscard]] const memory::Device& device(std::size_t at) const {
        return report->history.devices[at];
    }
};

using Memory = std::shared_ptr<const ShownMemory>;

/// Takes long for many blocks.
[[nodiscard]] Memory showMemory(memory::History history);

/// What style::Theme makes the colour of a place of.
[[nodiscard]] std::string colorName(const memory::History& history, memory::PlaceId place);

/// "20.0 MiB", with a sign where it is below 0.
[[nodiscard]] QString bytesText(std::int64_t bytes);
/// A block in lines: how large, since when, until when, what for, where; then its stack, at most so
/// many calls.
[[nodiscard]] QString blockText(const ShownMemory& memory, std::size_t device, std::uint32_t block,
                                std::size_t mostCalls);
/// The calls of a place, innermost first, a line each.
[[nodiscard]] QString stackText(const memory::History& history, memory::PlaceId place,
                                std::size_t mostCalls);

}  // namespace kinetoscope::panels
