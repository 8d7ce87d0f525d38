// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <stop_token>
#include <string>

#include "core/import/rocprof/Session.h"
#include "core/import/wire/EventWords.h"
#include "core/trace/ImportIssues.h"

namespace kinetoscope::import::rocprof {

/// Words the records of sessions as Kineto would.
class Records {
public:
    /// Less is worded of a document whose records would take many times its size.
    Records(std::size_t documentBytes, const std::stop_token& stop);

    /// The records of a session, which stand at `session.records`. Throws Stopped.
    void add(event::JsonCursor& cursor, const Session& session);
    /// The events, each followed by a comma.
    [[nodiscard]] std::string take() { return std::move(m_json); }

    [[nodiscard]] std::uint64_t records() const { return m_records; }
    [[nodiscard]] std::uint64_t skipped() const { return m_skipped; }
    /// What comes now is left out.
    [[nodiscard]] bool isFull() const { return m_json.size() >= m_maxWords; }
    /// Lists that have records and are not read.
    [[nodiscard]] const std::set<std::string>& others() const { return m_others; }
    [[nodiscard]] trace::IssueCounter& issues() { return m_issues; }

private:
    struct Record;
    using Word = void (Records::*)(const Record& record, const Session& session);

    void list(event::JsonCursor& cursor, const Session& session, Word word);
    void dispatch(const Record& record, const Session& session);
    void copy(const Record& record, const Session& session);
    void call(const Record& record, const Session& session);
    void open(const Record& record, std::string_view category, std::string_view name,
              std::int64_t pid, std::int64_t tid);
    void finish(const Record& record);

    const std::stop_token& m_stop;
    std::size_t m_maxWords;
    std::int64_t m_sessions = 0;  // before the present one
    std::int64_t m_process = 0;   // its row
    wire::EventWords m_words;
    std::string m_json;
    std::uint64_t m_records = 0;
    std::uint64_t m_skipped = 0;
    std::set<std::string> m_others;
    trace::IssueCounter m_issues;
};

/// The process's row: a number that no GPU has.
[[nodiscard]] std::int64_t processRow(const Session& session);

}  // namespace kinetoscope::import::rocprof
