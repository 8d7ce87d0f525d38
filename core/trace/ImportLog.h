// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::trace {

enum class Severity : std::uint8_t {
    Info,      ///< read as it stands; worth knowing
    Warning,   ///< read with a correction
    DataLoss,  ///< something in the file is not in the trace
};

[[nodiscard]] std::string_view severityName(Severity severity);  ///< "info", "warning", "data_loss"

/// All occurrences of one kind of problem.
struct ImportIssue {
    std::string name;  ///< stable, snake_case, e.g. "negative_duration"
    Severity severity = Severity::Info;
    std::uint64_t count = 0;
    std::uint64_t firstOffset = 0;  ///< byte in the (decompressed) text
    std::string example;            ///< one line about the first occurrence
};

/// Problems found while importing a file that was read all the same.
class ImportLog {
public:
    /// Counts one more `name`; offset and example of the one with the lowest offset are kept.
    void add(std::string_view name, Severity severity, std::uint64_t offset,
             std::string_view example, std::uint64_t count = 1);
    void merge(const ImportLog& other);

    /// In order of first offset, then name.
    [[nodiscard]] std::vector<ImportIssue> sorted() const;
    [[nodiscard]] const ImportIssue* find(std::string_view name) const;
    [[nodiscard]] bool empty() const { return m_issues.empty(); }

    std::uint64_t events = 0;   ///< elements of traceEvents, flows and skipped ones included
    std::uint64_t skipped = 0;  ///< elements that are not in the trace because they are wrong

private:
    std::vector<ImportIssue> m_issues;
};

}  // namespace kinetoscope::trace
