// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/pickle/Document.h"

namespace kinetoscope::pickle {

/// The values of some keys in many dicts: where dicts have the same keys they are looked for once.
template <std::size_t Count>
class Fields {
public:
    Fields(const Document& document, const std::array<std::string_view, Count>& keys)
        : m_document(document) {
        for (std::size_t i = 0; i < Count; ++i) {
            m_keys[i] = document.key(keys[i]);
        }
    }

    /// None for keys that it lacks, and of what is not a dict.
    [[nodiscard]] std::array<Value, Count> of(Value dict) {
        std::array<Value, Count> values{};
        const auto shape = m_document.shape(dict);
        if (!shape) {
            for (std::size_t i = 0; i < Count; ++i) {
                values[i] = m_document.find(dict, m_keys[i]);
            }
            return values;
        }
        const Value* const all = m_document.shapedValues(dict);
        const Places& places = placesIn(dict, *shape);
        for (std::size_t i = 0; i < Count; ++i) {
            if (places[i] != kMissing) {
                values[i] = all[places[i]];
            }
        }
        return values;
    }

private:
    static constexpr std::uint32_t kMissing = ~std::uint32_t{0};
    using Places = std::array<std::uint32_t, Count>;

    const Places& placesIn(Value dict, std::uint32_t shape) {
        if (shape >= m_places.size()) {
            m_places.resize(shape + std::size_t{1});
        }
        std::optional<Places>& places = m_places[shape];
        if (!places) {
            places.emplace();
            places->fill(kMissing);
            for (std::size_t at = 0; at < m_document.members(dict); ++at) {
                for (std::size_t i = 0; i < Count; ++i) {
                    if (m_document.member(dict, at).key == m_keys[i]) {
                        (*places)[i] = static_cast<std::uint32_t>(at);
                    }
                }
            }
        }
        return *places;
    }

    const Document& m_document;
    std::array<Value, Count> m_keys;
    std::vector<std::optional<Places>> m_places;  // by shape
};

}  // namespace kinetoscope::pickle
