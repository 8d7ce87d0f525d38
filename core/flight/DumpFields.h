// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/Result.h"
#include "core/flight/Dump.h"
#include "core/pickle/Document.h"

namespace kinetoscope::flight {

/// Takes a dump out of a document; used once.
class DumpFields {
public:
    explicit DumpFields(const pickle::Document& document) : m_document(document) {}

    [[nodiscard]] Result<Dump> take();

private:
    using Value = pickle::Value;

    [[nodiscard]] Value field(Value dict, std::string_view key) const {
        return m_document.find(dict, key);
    }
    /// Numbers may be texts: JSON dumps have some as such.
    [[nodiscard]] std::optional<std::int64_t> integer(Value value) const;
    [[nodiscard]] std::int64_t integerOr(Value value, std::int64_t otherwise) const {
        return integer(value).value_or(otherwise);
    }
    [[nodiscard]] std::vector<std::int64_t> ranks(Value value) const;

    void takeGroups(Value config);
    void takeStatus(Value status);
    void takeEntry(Value dict);
    void takeKind(Entry& entry, std::string_view profilingName);
    [[nodiscard]] State state(Value dict, const Entry& entry) const;
    [[nodiscard]] std::uint32_t group(Value dict);
    [[nodiscard]] std::uint32_t groupNamed(std::string_view name, std::string_view description);
    [[nodiscard]] std::uint32_t tensors(Value sizes, Value types);
    [[nodiscard]] std::uint32_t stack(Value frames);

    const pickle::Document& m_document;
    Dump m_dump;
    std::unordered_map<std::string, std::uint32_t> m_groups;     // by name
    std::unordered_map<std::int64_t, std::uint32_t> m_groupIds;  // by pg_id
    std::unordered_map<const Value*, std::uint32_t> m_stacks;    // by their frames
    std::unordered_map<std::string, std::uint32_t> m_tensorIds;
};

}  // namespace kinetoscope::flight
