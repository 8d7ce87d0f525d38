// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/base/StringPool.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query::sql {

/// The arguments of a trace's events, read from its file on demand. Reading many events loads those
/// of all, each different value once in memory.
class Arguments {
public:
    explicit Arguments(const trace::Trace& trace) : m_trace(trace) {}

    /// The argument's JSON as written; empty where the event has none. Valid until the next call.
    /// Fails when the file has changed, and when it needs more than `maxBytes` (0: no limit).
    [[nodiscard]] Result<std::string_view> find(trace::SliceId slice, const std::string& key,
                                                std::size_t maxBytes, const std::stop_token& stop);

private:
    struct Key {
        std::size_t requests = 0;
        StringPool values;
        std::vector<NameId> ofSlice;  ///< empty until all are read
    };

    [[nodiscard]] Result<void> readAll(Key& key, const std::string& name, std::size_t maxBytes,
                                       const std::stop_token& stop);

    const trace::Trace& m_trace;
    std::map<std::string, Key> m_keys;
    std::string m_single;
};

}  // namespace kinetoscope::query::sql
