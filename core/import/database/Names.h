// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/StringPool.h"
#include "core/import/database/Schema.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::database {

/// A table of texts by their number. Safe to read from any thread.
class Names {
public:
    /// Empty if there is no such table. Rows before damage are still read; false then.
    [[nodiscard]] Result<bool> read(const sqlite::Database& database, const Table* table,
                                    std::string_view id, std::string_view text);

    [[nodiscard]] std::optional<std::string_view> find(std::int64_t id) const;
    void set(std::int64_t id, std::string_view text);

private:
    StringPool m_texts;
    std::unordered_map<std::int64_t, NameId> m_ids;
};

/// The numbers that a name is made of.
using NameKey = std::array<std::int64_t, 3>;

/// Names of one part by numbers that rows have for them; what follows each other is often the same.
class NameCache {
public:
    /// The part's name for `key` of the table `kind` (any small number); `text` makes it when it is
    /// not known.
    template <class Text>
    [[nodiscard]] NameId of(trace::TraceBuilder& builder, unsigned kind, const NameKey& key,
                            Text&& text) {
        const auto part = [&](std::size_t at) { return static_cast<std::uint64_t>(key[at]); };
        const std::uint64_t mixed = part(0) + part(1) * 769U + part(2) * 97U + kind * 257U;
        Entry& entry = m_entries[mixed % kEntries];
        if (!entry.used || entry.key != key || entry.kind != kind) {
            entry = {key, kind, builder.name(text()), true};
        }
        return entry.name;
    }
    /// The same for a single number.
    template <class Text>
    [[nodiscard]] NameId of(trace::TraceBuilder& builder, unsigned kind, std::int64_t id,
                            Text&& text) {
        return of(builder, kind, NameKey{id}, std::forward<Text>(text));
    }
    void clear() { std::ranges::fill(m_entries, Entry{}); }

private:
    static constexpr std::size_t kEntries = 1024;
    struct Entry {
        NameKey key{};
        unsigned kind = 0;
        NameId name = kEmptyName;
        bool used = false;
    };
    std::vector<Entry> m_entries = std::vector<Entry>(kEntries);
};

}  // namespace kinetoscope::import::database
