// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/EventWords.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/import/event/HistoricalSpellings.h"
#include "core/json/Json.h"

namespace kinetoscope::import::database {

namespace {

// Of GPU operations, in the order in which Kineto has them.
void addOperation(const trace::Trace& part, const trace::GpuOperation& operation,
                  std::vector<Argument>& arguments) {
    const bool kernel = part.category(operation.slice) == trace::Category::Kernel;
    arguments.emplace_back("device", std::to_string(operation.gpu));
    arguments.emplace_back("stream", std::to_string(operation.stream));
    if (kernel && operation.grid[0] > 0) {
        arguments.emplace_back("registers per thread", std::to_string(operation.registers));
        arguments.emplace_back("shared memory", std::to_string(operation.sharedBytes));
        arguments.emplace_back("grid", fmt::format("[{}]", fmt::join(operation.grid, ", ")));
        arguments.emplace_back("block", fmt::format("[{}]", fmt::join(operation.block, ", ")));
    }
    if (operation.occupancyPercent >= 0) {
        arguments.emplace_back("est. achieved occupancy %",
                               std::to_string(operation.occupancyPercent));
    }
    if (!kernel) {
        arguments.emplace_back("bytes", std::to_string(operation.bytes));
    }
    if (operation.graph != 0) {
        arguments.emplace_back("graph id", std::to_string(operation.graph));
    }
}

bool isAmong(const std::string& key, std::span<const Argument> arguments) {
    return std::ranges::find(arguments, key, &Argument::first) != arguments.end();
}

// A column that is called like an argument would be taken for it.
void addColumns(const std::vector<Argument>& columns, std::vector<Argument>& arguments) {
    const std::size_t own = arguments.size();
    arguments.insert(arguments.end(), columns.begin(), columns.end());
    for (std::size_t i = own; i < arguments.size(); ++i) {
        std::string& key = arguments[i].first;
        bool isTaken = event::argumentOfSpelling(key) != event::Argument::None ||
                       isAmong(key, std::span(arguments).first(own));
        while (isTaken) {
            key += " (column)";
            isTaken = isAmong(key, std::span(arguments).first(own)) || isAmong(key, columns);
        }
    }
}

std::string object(const std::vector<Argument>& arguments) {
    std::string text = "{";
    for (const auto& [key, json] : arguments) {
        text += (text.size() > 1 ? ", " : "") + json::quotedJson(key) + ": " + json;
    }
    return text + '}';
}

// The members that all events share; the object is left open.
std::string beginning(const trace::Trace& part, char phase, NameId name, trace::CategoryId category,
                      trace::TrackId track, TimeNs time) {
    const trace::Track& row = part.tracks()[track];
    std::string text =
        fmt::format(R"({{"ph": "{}", "name": {})", phase, json::quotedJson(part.text(name)));
    if (const std::string_view word = part.categoryText(category); !word.empty()) {
        text += ", \"cat\": " + json::quotedJson(word);
    }
    text += ", \"pid\": " + rowIdJson(part, part.processes()[row.process].pid);
    if (row.kind != trace::TrackKind::Counter) {
        text += ", \"tid\": " + rowIdJson(part, row.tid);
    }
    return text + ", \"ts\": " + microseconds(time);
}

}  // namespace

std::string microseconds(TimeNs time) {
    const bool negative = time < 0;
    const std::uint64_t ns =
        negative ? -static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
    return fmt::format("{}{}.{:03}", negative ? "-" : "", ns / 1000, ns % 1000);
}

std::string rowIdJson(const trace::Trace& trace, trace::RowId id) {
    return id.isText ? json::quotedJson(trace.text(static_cast<NameId>(id.value)))
                     : std::to_string(id.value);
}

std::vector<WordedEvent> wordedEvents(const trace::Trace& part, const std::vector<Argument>& more,
                                      const std::vector<Argument>& columns) {
    std::vector<WordedEvent> events;
    const auto add = [&](std::string begin, char phase, TimeNs time,
                         std::vector<Argument> arguments) {
        if (phase != 'C') {  // whose arguments are series
            arguments.insert(arguments.end(), more.begin(), more.end());
            addColumns(columns, arguments);
        }
        begin += arguments.empty() ? "}" : ", \"args\": " + object(arguments) + '}';
        events.push_back({std::move(begin), phase, time});
    };
    auto operation = part.gpuOperations().begin();
    for (trace::SliceId slice = 0; slice < part.sliceCount(); ++slice) {
        std::vector<Argument> arguments;
        if (operation != part.gpuOperations().end() && operation->slice == slice) {
            addOperation(part, *operation++, arguments);
        }
        if (part.correlation(slice) != trace::kNoId) {
            arguments.emplace_back("correlation", std::to_string(part.correlation(slice)));
        }
        add(beginning(part, 'X', part.nameId(slice), part.categoryId(slice), part.trackOf(slice),
                      part.start(slice)) +
                ", \"dur\": " + microseconds(part.duration(slice)),
            'X', part.start(slice), std::move(arguments));
    }
    for (const trace::Instant& instant : part.instants()) {
        add(beginning(part, 'i', instant.name, instant.category, instant.track, instant.time) +
                ", \"s\": \"t\"",
            'i', instant.time, {});
    }
    for (const trace::CounterSample& sample : part.counters()) {
        const trace::RowId name = part.tracks()[sample.track].tid;
        add(beginning(part, 'C', static_cast<NameId>(name.value), 0, sample.track, sample.time),
            'C', sample.time,
            {{std::string(part.text(sample.series)),
              std::isfinite(sample.value) ? fmt::format("{}", sample.value) : "null"}});
    }
    return events;
}

}  // namespace kinetoscope::import::database
