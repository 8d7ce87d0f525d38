// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/memory/MemoryFields.h"

#include <QObject>
#include <algorithm>
#include <limits>

#include "core/memory/MemoryTables.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "widgets/models/Text.h"

namespace kinetoscope::panels {

using memory::GroupBy;
using memory::PlaceId;
using models::countField;
using models::Field;
using models::fieldColumn;
using models::textField;
using models::toText;

namespace {

using Row = std::uint32_t;

constexpr std::size_t kMemoryFieldsTipCalls = 24;

Field bytesField(const char* key, const QString& title, const QString& toolTip,
                 const std::function<std::int64_t(Row)>& bytes) {
    return {fieldColumn(key, title, toolTip, false),
            [bytes](Row row) { return bytesText(bytes(row)); },
            [bytes](Row row) { return static_cast<double>(bytes(row)); }};
}

Field timeField(const char* key, const QString& title, const QString& toolTip,
                const std::function<TimeNs(Row)>& time) {
    return {fieldColumn(key, title, toolTip, false),
            [time](Row row) { return toText(memory::momentWords(time(row))); },
            [time](Row row) { return static_cast<double>(time(row)); }};
}

Field purposeField(const Memory& memory, const std::function<PlaceId(Row)>& place) {
    return textField(
        "purpose", QObject::tr("Purpose"),
        QObject::tr("What it is for, inferred from the allocation site"), [memory, place](Row row) {
            return toText(memory::purposeName(memory->history().places[place(row)].purpose));
        });
}

Field operatorField(const Memory& memory, const std::function<PlaceId(Row)>& place) {
    Field field =
        textField("operator", QObject::tr("Operator"),
                  QObject::tr("Operator that allocated it, or else the innermost named function"),
                  [memory, place](Row row) {
                      return toText(memory::operationWords(memory->history(), place(row)));
                  });
    field.extra = [memory, place](Row row, int role) {
        return role == models::SwatchRole && place(row) != 0
                   ? QVariant(toText(colorName(memory->history(), place(row))))
                   : QVariant();
    };
    return field;
}

// The line of the program; its tool tip has the calls around it.
Field whereField(const Memory& memory, const std::function<PlaceId(Row)>& place) {
    Field field = textField("where", QObject::tr("Where"),
                            QObject::tr("The innermost line that is not PyTorch's own"),
                            [memory, place](Row row) {
                                return toText(memory::lineWords(memory->history(), place(row)));
                            });
    field.extra = [memory, place](Row row, int role) {
        return role == Qt::ToolTipRole
                   ? QVariant(stackText(memory->history(), place(row), kMemoryFieldsTipCalls))
                   : QVariant();
    };
    return field;
}

// The calls in one line, from the program's own line inwards.
Field stackField(const Memory& memory, const std::function<PlaceId(Row)>& place) {
    Field field =
        textField("stack", QObject::tr("Stack, innermost first"), {}, [memory, place](Row row) {
            return stackText(memory->history(), place(row), kMemoryFieldsTipCalls)
                .replace(QLatin1Char('\n'), QStringLiteral(" ← "));
        });
    field.extra = whereField(memory, place).extra;
    return field;
}

}  // namespace

MemoryRows aliveRows(const Memory& memory, const PlaceSums& sums, GroupBy by) {
    const auto rows = std::make_shared<const std::vector<memory::PlaceSum>>(
        memory::grouped(memory->history(), *sums, by));
    std::int64_t whole = 0;
    for (const memory::PlaceSum& sum : *rows) {
        whole = memory::addBytes(whole, sum.bytes);
    }
    const auto share = [rows, whole](Row row) {
        return whole > 0 ? static_cast<double>((*rows)[row].bytes) / static_cast<double>(whole)
                         : 0.0;
    };
    const auto place = [rows](Row row) { return (*rows)[row].place; };
    MemoryRows made{{bytesField("bytes", QObject::tr("Size"), {},
                                [rows](Row row) { return (*rows)[row].bytes; }),
                     {fieldColumn("share_percent", QObject::tr("Share"),
                                  QObject::tr("Share of all memory allocated then"), false),
                      [share](Row row) { return toText(text::formatPercent(share(row), 1.0)); },
                      [share](Row row) { return 100.0 * share(row); },
                      [share](Row row, int role) {
                          return role == models::ShareRole ? QVariant(share(row)) : QVariant();
                      }},
                     countField("blocks", QObject::tr("Blocks"), {},
                                [rows](Row row) {
                                    const std::uint64_t count = (*rows)[row].count;
                                    return count == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                      : static_cast<double>(count);
                                })},
                    rows->size()};
    if (by != GroupBy::Operator) {
        made.fields.push_back(purposeField(memory, place));
    }
    if (by != GroupBy::Purpose) {
        made.fields.push_back(operatorField(memory, place));
    }
    if (by == GroupBy::Place || by == GroupBy::Stack) {
        made.fields.push_back(whereField(memory, place));
    }
    if (by == GroupBy::Stack) {
        made.fields.push_back(stackField(memory, place));
    }
    return made;
}

MemoryRows blockRows(const Memory& memory, std::size_t device,
                     const std::vector<std::size_t>& blocks, bool since) {
    const auto rows = std::make_shared<const std::vector<std::size_t>>(blocks);
    const auto block = [memory, device, rows](Row row) -> const memory::Block& {
        return memory->device(device).blocks[(*rows)[row]];
    };
    const auto place = [block](Row row) { return block(row).place; };
    MemoryRows made{{bytesField("bytes", QObject::tr("Size"), {},
                                [block](Row row) { return block(row).bytes; })},
                    rows->size()};
    if (since) {
        made.fields.push_back(
            timeField("since_ns", QObject::tr("Since"), QObject::tr("When it was allocated"),
                      [memory, device, block](Row row) {
                          return memory->device(device).allocated[block(row).from].time;
                      }));
    }
    made.fields.push_back(purposeField(memory, place));
    made.fields.push_back(operatorField(memory, place));
    made.fields.push_back(whereField(memory, place));
    return made;
}

MemoryRows segmentRows(const Memory& memory, std::size_t device) {
    const auto sums = [memory, device](Row row) -> const memory::SegmentSums& {
        return memory->device(device).segments[row];
    };
    const auto bytes = [sums](std::int64_t memory::SegmentSums::*member) {
        return [sums, member](Row row) { return sums(row).*member; };
    };
    return {{textField("kind", QObject::tr("Kind"), {},
                       [sums](Row row) { return toText(text::printable(sums(row).kind)); }),
             countField("count", QObject::tr("Segments"), {},
                        [sums](Row row) { return static_cast<double>(sums(row).count); }),
             bytesField("bytes", QObject::tr("Size"), {}, bytes(&memory::SegmentSums::bytes)),
             bytesField("allocated", QObject::tr("Allocated"), {},
                        bytes(&memory::SegmentSums::allocated)),
             bytesField("requested", QObject::tr("Requested"), {},
                        bytes(&memory::SegmentSums::requested)),
             bytesField("free_between_blocks", QObject::tr("Free between blocks"),
                        QObject::tr("In partly used segments: cannot be returned to the device"),
                        bytes(&memory::SegmentSums::freeInUsed)),
             countField("whole_free", QObject::tr("Free segments"),
                        QObject::tr("Segments in which nothing is allocated"),
                        [sums](Row row) { return static_cast<double>(sums(row).wholeFree); }),
             bytesField("largest_free", QObject::tr("Largest free"),
                        QObject::tr("Largest block that fits without a new segment"),
                        bytes(&memory::SegmentSums::largestFree))},
            memory->device(device).segments.size()};
}

MemoryRows outOfMemoryRows(const Memory& memory, std::size_t device) {
    const auto event = [memory, device](Row row) -> const memory::OutOfMemory& {
        return memory->device(device).outOfMemory[row];
    };
    const auto place = [event](Row row) { return event(row).place; };
    return {{timeField("time_ns", QObject::tr("When"), {},
                       [event](Row row) { return event(row).time; }),
             bytesField("requested", QObject::tr("Requested"), {},
                        [event](Row row) { return event(row).requested; }),
             {fieldColumn("device_free", QObject::tr("Free on the device"), {}, false),
              [event](Row row) {
                  return event(row).deviceFree < 0 ? QString() : bytesText(event(row).deviceFree);
              },
              [event](Row row) {
                  return event(row).deviceFree < 0 ? std::numeric_limits<double>::quiet_NaN()
                                                   : static_cast<double>(event(row).deviceFree);
              }},
             operatorField(memory, place),
             whereField(memory, place)},
            memory->device(device).outOfMemory.size()};
}

MemoryRows changeRows(const std::shared_ptr<const memory::MemoryComparison>& comparison) {
    const auto change = [comparison](Row row) -> const memory::PlaceChange& {
        return comparison->changes[row];
    };
    const auto count = [change](std::uint64_t memory::PlaceChange::*member) {
        return [change, member](Row row) { return static_cast<double>(change(row).*member); };
    };
    Field where = textField("where", QObject::tr("Where"), {}, [change](Row row) {
        return toText(text::printable(change(row).line));
    });
    where.extra = [change](Row row, int role) {
        QStringList calls;
        for (const std::string& call : change(row).stack) {
            calls.append(toText(text::printable(call)));
        }
        return role == Qt::ToolTipRole
                   ? QVariant(calls.mid(0, static_cast<qsizetype>(kMemoryFieldsTipCalls))
                                  .join(QLatin1Char('\n')))
                   : QVariant();
    };
    return {{{fieldColumn("change", QObject::tr("Change"),
                          QObject::tr("Memory held at the end of each file"), false),
              [change](Row row) {
                  const std::int64_t bytes = change(row).change();
                  return (bytes > 0 ? QStringLiteral("+") : QString()) + bytesText(bytes);
              },
              [change](Row row) { return static_cast<double>(change(row).change()); }},
             bytesField("baseline", QObject::tr("Baseline"), {},
                        [change](Row row) { return change(row).baseline; }),
             bytesField("candidate", QObject::tr("Candidate"), {},
                        [change](Row row) { return change(row).candidate; }),
             countField("baseline_blocks", QObject::tr("Blocks before"), {},
                        count(&memory::PlaceChange::baselineCount)),
             countField("candidate_blocks", QObject::tr("Blocks after"), {},
                        count(&memory::PlaceChange::candidateCount)),
             textField("device", QObject::tr("Device"), {},
                       [change](Row row) { return toText(text::printable(change(row).device)); }),
             textField("operator", QObject::tr("Operator"), {},
                       [change](Row row) {
                           const std::string& name = change(row).operation;
                           return name.empty() ? QObject::tr("unknown")
                                               : toText(text::printable(name));
                       }),
             std::move(where)},
            comparison->changes.size()};
}

}  // namespace kinetoscope::panels
