// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/OperatorStream.h"

#include <algorithm>

#include "core/bench/results/JsonFields.h"

namespace kinetoscope::bench::results {

using namespace fields;

std::string operatorPlanLine(const OperatorDocument& document) {
    const fields::Json json = fields::written(operatorDocumentJson(document));
    return fields::dump({{"event", "plan"}, {"document", json}}, -1);
}

std::string operatorStartLine(std::size_t index) {
    return fields::dump({{"event", "start"}, {"operator", index}}, -1);
}

std::string operatorSampleLine(std::size_t index, std::size_t position,
                               const OperatorSample& sample) {
    return fields::dump({{"event", "sample"},
                         {"operator", index},
                         {"position", position},
                         {"sample", fields::written(operatorSampleJson(sample))}},
                        -1);
}

std::string operatorDoneLine(std::size_t index, const OperatorResult& result) {
    const fields::Json reason =
        result.reason.empty() ? fields::Json() : fields::Json(result.reason);
    return fields::dump({{"event", "done"}, {"operator", index}, {"reason", reason}}, -1);
}

OperatorStream::Change OperatorStream::take(std::string_view line) {
    const auto json = fields::jsonObject(line);
    if (!json) {
        return Change::None;
    }
    const std::string event = fields::text(*json, "event");
    if (event == "plan") {
        auto document = parseOperatorDocument(fields::dump(fields::object(*json, "document"), -1));
        if (!document) {
            return Change::None;
        }
        open(std::move(*document));
        return Change::Plan;
    }
    const std::int64_t index =
        fields::maybeNumber(*json, "operator") ? fields::integer(*json, "operator") : -1;
    if (index < 0 || index >= std::ssize(m_document.operators)) {
        return Change::None;
    }
    m_current = static_cast<std::size_t>(index);
    OperatorResult& result = m_document.operators[m_current];
    if (event == "sample") {
        const std::int64_t position = fields::integer(*json, "position");
        auto sample = parseOperatorSample(fields::dump(fields::object(*json, "sample"), -1));
        if (sample && position >= 0 && position < std::ssize(result.samples)) {
            result.samples[static_cast<std::size_t>(position)] = std::move(*sample);
        }
    } else if (event == "done") {
        result.reason = fields::text(*json, "reason");
        result.done = true;
    }
    return Change::Operator;
}

void OperatorStream::open(OperatorDocument document) {
    m_document = std::move(document);
    m_current = 0;
}

std::size_t OperatorStream::done() const {
    return static_cast<std::size_t>(
        std::ranges::count(m_document.operators, true, &OperatorResult::done));
}

}  // namespace kinetoscope::bench::results
