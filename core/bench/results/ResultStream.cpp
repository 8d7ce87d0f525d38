// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ResultStream.h"

#include "core/bench/results/JsonParts.h"

namespace kinetoscope::bench::results {

namespace {

// The group of a runner and its place there.
struct RunnerPlace {
    std::size_t group = 0;
    std::size_t runner = 0;
};

RunnerPlace placeOf(const ModuleDocument& document, std::size_t item) {
    RunnerPlace place{0, item};
    while (place.runner >= document.groups[place.group].runners.size()) {
        place.runner -= document.groups[place.group].runners.size();
        ++place.group;
    }
    return place;
}

std::size_t countItems(const KernelDocument& document) {
    return document.kernels.size();
}

std::size_t countItems(const OperatorDocument& document) {
    return document.operators.size();
}

std::size_t countItems(const ModuleDocument& document) {
    std::size_t count = 0;
    for (const ModuleGroup& group : document.groups) {
        count += group.runners.size();
    }
    return count;
}

fields::Json itemJson(const KernelDocument& document, std::size_t item) {
    return kernelJson(document.kernels[item]);
}

fields::Json itemJson(const OperatorDocument& document, std::size_t item) {
    return operatorJson(document, document.operators[item]);
}

fields::Json itemJson(const ModuleDocument& document, std::size_t item) {
    const auto [group, runner] = placeOf(document, item);
    return runnerJson(document.groups[group], document.groups[group].runners[runner]);
}

void readItem(const fields::Json& json, KernelDocument& document, std::size_t item) {
    document.kernels[item] = readKernel(json);
}

void readItem(const fields::Json& json, OperatorDocument& document, std::size_t item) {
    document.operators[item] = readOperator(json);
}

void readItem(const fields::Json& json, ModuleDocument& document, std::size_t item) {
    const auto [group, runner] = placeOf(document, item);
    document.groups[group].runners[runner] = readRunner(json);
}

template <class Document>
bool readPart(const fields::Json&, Document&, std::size_t) {
    return false;  // its items come whole
}

bool readPart(const fields::Json& json, OperatorDocument& document, std::size_t item) {
    auto& samples = document.operators[item].samples;
    const std::int64_t part = fields::integer(json, "part");
    if (part < 0 || part >= std::ssize(samples)) {
        return false;
    }
    samples[static_cast<std::size_t>(part)] = readSample(fields::object(json, "result"));
    return true;
}

template <class Document>
bool isDone(const Document&, std::size_t) {
    return false;  // only a stream tells
}

bool isDone(const OperatorDocument& document, std::size_t item) {
    return document.operators[item].done;
}

// Nothing where the document has no such item.
template <class Document>
std::optional<std::size_t> itemOf(const fields::Json& json, const Document& document) {
    const auto number = fields::maybeNumber(json, "item");
    const auto most = static_cast<double>(countItems(document));
    return number && *number >= 0.0 && *number < most
               ? std::optional(static_cast<std::size_t>(*number))
               : std::nullopt;
}

}  // namespace

template <class Document>
std::string planLine(const Document& document) {
    return fields::dump({{"event", "plan"}, {"document", documentJson(document)}}, -1);
}

template <class Document>
std::string deviceLine(const Document& document) {
    fields::Json json{{"event", "device"}};
    writeDevice(document, json);
    return fields::dump(json, -1);
}

std::string startLine(std::size_t item) {
    return fields::dump({{"event", "start"}, {"item", item}}, -1);
}

std::string partLine(std::size_t item, std::size_t part, const OperatorSample& sample) {
    return fields::dump(
        {{"event", "part"}, {"item", item}, {"part", part}, {"result", sampleJson(sample)}}, -1);
}

template <class Document>
std::string itemLine(const Document& document, std::size_t item) {
    return fields::dump({{"event", "result"}, {"item", item}, {"result", itemJson(document, item)}},
                        -1);
}

template <class Document>
void ResultStream<Document>::open(Document document) {
    m_document = std::move(document);
    m_running.reset();
    m_done.clear();
    for (std::size_t item = 0; item < countItems(m_document); ++item) {
        if (isDone(m_document, item)) {
            m_done.insert(item);
        }
    }
}

template <class Document>
auto ResultStream<Document>::take(std::string_view line) -> Change {
    const auto json = fields::jsonObject(line);
    const std::string event = json ? fields::text(*json, "event") : std::string();
    if (event == "plan") {
        auto document = readDocument<Document>(fields::object(*json, "document"));
        if (!document) {
            return Change::None;
        }
        open(std::move(*document));
        return Change::Plan;
    }
    if (event == "device") {
        readDevice(*json, m_document);
        return Change::Device;
    }
    const auto item = json ? itemOf(*json, m_document) : std::nullopt;
    if (!item || (event != "start" && event != "part" && event != "result")) {
        return Change::None;
    }
    m_item = *item;
    if (event == "start") {
        m_running = item;
    } else if (event == "part") {
        return readPart(*json, m_document, *item) ? Change::Item : Change::None;
    } else {
        readItem(fields::object(*json, "result"), m_document, *item);
        m_running.reset();
        m_done.insert(*item);
    }
    return Change::Item;
}

template std::string planLine(const KernelDocument&);
template std::string planLine(const OperatorDocument&);
template std::string planLine(const ModuleDocument&);
template std::string deviceLine(const KernelDocument&);
template std::string deviceLine(const OperatorDocument&);
template std::string deviceLine(const ModuleDocument&);
template std::string itemLine(const KernelDocument&, std::size_t);
template std::string itemLine(const OperatorDocument&, std::size_t);
template std::string itemLine(const ModuleDocument&, std::size_t);
template class ResultStream<KernelDocument>;
template class ResultStream<OperatorDocument>;
template class ResultStream<ModuleDocument>;

}  // namespace kinetoscope::bench::results
