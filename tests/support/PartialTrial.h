// SPDX-License-Identifier: Apache-2.0
// Everything that is done with a partial, for whatever bytes one may hold.
#pragma once

#include <string>
#include <string_view>

#include "core/json/Json.h"
#include "core/ranks/JobText.h"
#include "core/ranks/Partial.h"
#include "core/ranks/RecordCodec.h"
#include "tests/support/SampleRanks.h"

namespace kinetoscope::test {

inline bool isOneLine(const std::string& text) {
    return !text.empty() && text.find('\n') == std::string::npos;
}

/// What is wrong; empty: nothing. The record, whatever it is, must be analysed beside a good one.
inline std::string tryRecord(ranks::RankRecord record) {
    std::vector<ranks::RankRecord> records;
    records.push_back(sampleRank(record.rank == 0 ? 1 : 0, 2));
    records.push_back(std::move(record));
    const auto job = ranks::makeJob(std::move(records));
    if (!job) {
        return isOneLine(job.error().message) ? "" : "a message of several lines";
    }
    return json::isJson(ranks::jobJson(*job)) && !ranks::jobText(*job, {}).empty() &&
                   !ranks::jobCsv(*job).empty() && !ranks::jobMarkdown(*job).empty()
               ? ""
               : "a job that cannot be written";
}

/// Bytes of one record, without the checksums of a file around them.
inline std::string tryRecordBytes(std::string_view bytes) {
    auto record = ranks::decodeRecord(bytes);
    if (!record) {
        return isOneLine(record.error().message) ? "" : "a message of several lines";
    }
    const auto written = ranks::encodeRecord(*record);
    const auto again = ranks::decodeRecord(written.value_or(""));
    if (!again || ranks::encodeRecord(*again).value_or("") != *written) {
        return "a record changes when it is written and read";
    }
    return tryRecord(std::move(*record));
}

/// Bytes of a file.
inline std::string tryPartial(std::string_view bytes) {
    auto partial = ranks::decodePartial(bytes);
    if (!partial) {
        return isOneLine(partial.error().message) ? "" : "a message of several lines";
    }
    for (ranks::RankRecord& record : partial->records) {
        if (std::string problem = tryRecord(std::move(record)); !problem.empty()) {
            return problem;
        }
    }
    return {};
}

}  // namespace kinetoscope::test
