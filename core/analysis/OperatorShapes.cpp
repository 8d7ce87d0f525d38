// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/OperatorShapes.h"

#include <algorithm>
#include <functional>

#include "core/analysis/OperatorEvents.h"
#include "core/base/Threads.h"
#include "core/json/Json.h"

namespace kinetoscope::analysis {

namespace {

constexpr std::string_view kNoShapes = "[]";
constexpr std::uint32_t kNoShapesId = 0;
// Enough that starting to read costs nothing, few enough that threads end together.
constexpr std::size_t kPiece = 32768;

}  // namespace

/// The ids of one thread's recent JSON, so that few events need the common table.
class OperatorShapes::Known {
public:
    [[nodiscard]] std::uint32_t find(std::string_view json, OperatorShapes& shapes) {
        Entry& entry = m_entries[std::hash<std::string_view>()(json) % m_entries.size()];
        if (entry.json != json || json.empty()) {
            entry.id = shapes.idOfJson(json);
            entry.json = json;
        }
        return entry.id;
    }

private:
    struct Entry {
        std::string json;
        std::uint32_t id = kNoShapesId;
    };
    std::vector<Entry> m_entries = std::vector<Entry>(4096);
};

OperatorShapes::OperatorShapes(const trace::Trace& trace, const std::vector<trace::SliceId>& slices)
    : m_trace(trace),
      m_slices(slices),
      m_piece(trace.eventText() != nullptr && trace.eventText()->startsAnywhere() ? kPiece
                                                                                  : slices.size()),
      m_ids(slices.size(), kNoShapesId),
      m_texts{std::string(kNoShapes)},
      m_idOfText{{std::string(kNoShapes), kNoShapesId}} {}

void OperatorShapes::work(const std::stop_token& stop) {
    Known known;
    while (m_trace.eventText() != nullptr) {
        const std::size_t begin = m_next.fetch_add(m_piece);
        if (begin >= m_slices.size()) {
            return;
        }
        const auto done = read(begin, std::min(begin + m_piece, m_slices.size()), stop, known);
        if (!done) {
            m_next = m_slices.size();
            const std::scoped_lock lock(m_mutex);
            m_result = done;
        }
    }
}

Result<void> OperatorShapes::read(std::size_t begin, std::size_t end, const std::stop_token& stop,
                                  Known& known) {
    std::vector<std::uint32_t> places;
    for (std::size_t place = begin; place < end; ++place) {
        if (isOperator(m_trace.category(m_slices[place]))) {
            places.push_back(static_cast<std::uint32_t>(place));
        }
    }
    // Captures hold ranges in the order of their ends.
    const auto offsetOf = [&](std::uint32_t place) { return m_trace.offset(m_slices[place]); };
    if (!std::ranges::is_sorted(places, {}, offsetOf)) {
        std::ranges::sort(places, {}, offsetOf);
    }
    std::vector<std::uint64_t> offsets(places.size());
    std::ranges::transform(places, offsets.begin(), offsetOf);
    return m_trace.eventText()->argument(offsets, "Input Dims",
                                         [&](std::size_t i, std::string_view json) {
                                             throwIfStopped(stop);
                                             if (!json.empty()) {
                                                 m_ids[places[i]] = known.find(json, *this);
                                             }
                                         });
}

std::uint32_t OperatorShapes::idOfJson(std::string_view json) {
    std::string text = inputShapes(json);
    const std::scoped_lock lock(m_mutex);
    const auto [entry, isNew] =
        m_idOfText.try_emplace(text, static_cast<std::uint32_t>(m_texts.size()));
    if (isNew) {
        m_texts.push_back(std::move(text));
    }
    return entry->second;
}

Result<void> OperatorShapes::result() const {
    return m_result;
}

std::string inputShapes(std::string_view json) {
    using Json = nlohmann::json;
    const auto dims = json::parseJson(trace::unquoted(json));
    if (!dims || !dims->is_array()) {
        return std::string(kNoShapes);
    }
    std::string text = "[";
    for (const Json& shape : *dims) {
        text += text.size() > 1 ? ", [" : "[";
        const std::size_t begin = text.size();
        const bool tensor = shape.is_array() && std::ranges::all_of(shape, [](const Json& size) {
                                return size.is_number_integer();
                            });
        for (const Json& size : tensor ? shape : Json::array()) {
            text += text.size() > begin ? ", " : "";
            text += json::jsonText(size);
        }
        text += ']';
    }
    return text + "]";
}

}  // namespace kinetoscope::analysis
