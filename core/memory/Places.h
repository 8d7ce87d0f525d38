// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/memory/History.h"
#include "core/pickle/Document.h"

namespace kinetoscope::memory {

/// One call of a stack.
struct FrameText {
    std::string_view function;
    std::string_view file;
    std::int64_t line = 0;
};

/// Collects the places of a history; equal stacks are one.
class Places {
public:
    explicit Places(History& history) : m_history(history) { m_history.places.emplace_back(); }

    /// Innermost first.
    [[nodiscard]] PlaceId ofStack(const std::vector<FrameText>& frames);
    /// Where a trace's slices are around a moment: names as they are, innermost first.
    [[nodiscard]] PlaceId ofSlices(std::string_view operation,
                                   const std::vector<std::string_view>& names);

private:
    [[nodiscard]] PlaceId add(std::vector<NameId> stack, std::string_view operation,
                              std::string_view line, Purpose purpose);

    History& m_history;
    std::unordered_map<std::uint64_t, std::vector<PlaceId>> m_known;  // by hash of the stack
};

/// The places of a snapshot's stacks: lists that the document shares are processed once.
class SnapshotPlaces {
public:
    SnapshotPlaces(History& history, const pickle::Document& document);

    [[nodiscard]] PlaceId of(pickle::Value frames) {
        const auto calls = m_document.elements(frames);
        if (calls.empty()) {
            return 0;
        }
        const auto [known, isNew] = m_known.try_emplace(calls.data(), PlaceId{0});
        if (isNew) {
            known->second = read(calls);
        }
        return known->second;
    }

private:
    [[nodiscard]] PlaceId read(std::span<const pickle::Value> calls);

    const pickle::Document& m_document;
    Places m_places;
    pickle::Value m_function;
    pickle::Value m_file;
    pickle::Value m_line;
    std::unordered_map<const pickle::Value*, PlaceId> m_known;
};

}  // namespace kinetoscope::memory
