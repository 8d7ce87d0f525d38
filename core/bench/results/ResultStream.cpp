// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ResultStream.h"

#include "core/bench/results/JsonParts.h"

namespace kinetoscope::bench::results {

namespace {

// An item of a stream and, for a runner, its group. Null: absent.
template <class Item>
struct Place {
    Item* item = nullptr;
    Item* group = nullptr;
};

template <class Document>
auto placeOf(Document& document, std::size_t number) {
    using Item = std::remove_reference_t<decltype(document.items[0])>;
    if (document.kind != ResultKind::Modules) {
        return number < document.items.size() ? Place<Item>{&document.items[number]}
                                              : Place<Item>{};
    }
    for (Item& group : document.items) {
        if (number < group.parts.size()) {
            return Place<Item>{&group.parts[number], &group};
        }
        number -= group.parts.size();
    }
    return Place<Item>{};
}

// Nothing where the list has no such place.
std::optional<std::size_t> numberOf(const fields::Json& json, const char* key) {
    constexpr double kMax = 1e9;
    const auto number = fields::maybeNumber(json, key);
    return number && *number >= 0.0 && *number < kMax
               ? std::optional(static_cast<std::size_t>(*number))
               : std::nullopt;
}

bool takePart(const fields::Json& json, BenchItem& item) {
    const auto part = numberOf(json, "part");
    if (!part || *part >= item.parts.size()) {
        return false;
    }
    item.parts[*part] = readItem(fields::object(json, "result"));
    return true;
}

}  // namespace

std::string planLine(const ResultDocument& document) {
    return fields::dump({{"event", "plan"}, {"document", documentJson(document)}}, -1);
}

std::string deviceLine(const ResultDocument& document) {
    fields::Json json{{"event", "device"}};
    writeDevice(document, json);
    return fields::dump(json, -1);
}

std::string startLine(std::size_t item) {
    return fields::dump({{"event", "start"}, {"item", item}}, -1);
}

std::string partLine(std::size_t item, std::size_t part, const BenchItem& call) {
    return fields::dump(
        {{"event", "part"}, {"item", item}, {"part", part}, {"result", itemJson(call)}}, -1);
}

std::string itemLine(const ResultDocument& document, std::size_t item) {
    const auto place = placeOf(document, item);
    return fields::dump(
        {{"event", "result"}, {"item", item}, {"result", itemJson(*place.item, place.group)}}, -1);
}

void ResultStream::open(ResultDocument document) {
    m_document = std::move(document);
    m_running.reset();
    m_done.clear();
    for (std::size_t item = 0; item < m_document.items.size(); ++item) {
        if (m_document.items[item].done) {
            m_done.insert(item);
        }
    }
}

auto ResultStream::take(std::string_view line) -> Change {
    const auto json = fields::jsonObject(line);
    const std::string event = json ? fields::text(*json, "event") : std::string();
    if (event == "plan") {
        auto document = readDocument(fields::object(*json, "document"));
        if (!document || document->kind != m_document.kind) {
            return Change::None;
        }
        open(std::move(*document));
        return Change::Plan;
    }
    if (event == "device") {
        readDevice(*json, m_document);
        return Change::Device;
    }
    const auto number = json ? numberOf(*json, "item") : std::nullopt;
    BenchItem* item = number ? placeOf(m_document, *number).item : nullptr;
    if (item == nullptr || (event != "start" && event != "part" && event != "result")) {
        return Change::None;
    }
    m_item = *number;
    if (event == "start") {
        m_running = number;
    } else if (event == "part") {
        return takePart(*json, *item) ? Change::Item : Change::None;
    } else {
        *item = readItem(fields::object(*json, "result"));
        m_running.reset();
        m_done.insert(*number);
    }
    return Change::Item;
}

}  // namespace kinetoscope::bench::results
