// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/memory/ShownMemory.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>

#include "core/memory/MemoryTables.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "widgets/models/Text.h"

namespace kinetoscope::panels {

using models::toText;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Memory", text);
}

}  // namespace

Memory showMemory(memory::History history) {
    auto shown = std::make_shared<ShownMemory>();
    shown->report =
        std::make_shared<const memory::MemoryReport>(memory::reportOf(std::move(history)));
    for (const memory::Device& device : shown->report->history.devices) {
        shown->stacks.push_back(std::make_shared<const memory::view::BlockStacks>(
            std::shared_ptr<const memory::Device>(shown->report, &device)));
    }
    return shown;
}

std::string colorName(const memory::History& history, memory::PlaceId place) {
    const memory::Place& named = history.places[place];
    return fmt::format("{}\n{}", history.name(named.operation), history.name(named.line));
}

QString bytesText(std::int64_t bytes) {
    const QString size = toText(text::formatBytes(bytes < 0 ? 0 - static_cast<std::uint64_t>(bytes)
                                                            : static_cast<std::uint64_t>(bytes)));
    return bytes < 0 ? QStringLiteral("-") + size : size;
}

QString stackText(const memory::History& history, memory::PlaceId place, std::size_t mostCalls) {
    const std::vector<NameId>& stack = history.places[place].stack;
    QStringList lines;
    for (const NameId call : stack) {
        if (static_cast<std::size_t>(lines.size()) == mostCalls) {
            lines.append(tr("… and %1 more").arg(stack.size() - mostCalls));
            break;
        }
        lines.append(toText(text::printable(history.name(call))));
    }
    return lines.join(QLatin1Char('\n'));
}

QString blockText(const ShownMemory& memory, std::size_t device, std::uint32_t block,
                  std::size_t mostCalls) {
    const memory::History& history = memory.history();
    const memory::Device& shown = memory.device(device);
    const memory::Block& one = shown.blocks[block];
    const auto when = [&](std::uint32_t event) {
        return toText(memory::momentWords(shown.allocated[event].time));
    };
    QStringList lines{
        tr("%1 (%2 bytes)").arg(bytesText(one.bytes), toText(text::formatCount(one.bytes)))};
    const QString from =
        one.from == memory::kBefore ? tr("before the first event") : when(one.from);
    lines.append(one.to == memory::kNever ? tr("allocated %1, never freed").arg(from)
                                          : tr("allocated %1, freed %2").arg(from, when(one.to)));
    const memory::Place& place = history.places[one.place];
    lines.append(tr("purpose: %1").arg(toText(memory::purposeName(place.purpose))));
    lines.append(toText(memory::operationWords(history, one.place)));
    if (const std::string line = memory::lineWords(history, one.place); !line.empty()) {
        lines.append(toText(line));
    }
    if (const QString stack = stackText(history, one.place, mostCalls); !stack.isEmpty()) {
        lines.append(QString());
        lines.append(stack);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace kinetoscope::panels
