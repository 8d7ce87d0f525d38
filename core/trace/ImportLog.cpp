// SPDX-License-Identifier: Apache-2.0
#include "core/trace/ImportLog.h"

#include <algorithm>
#include <tuple>

namespace kinetoscope::trace {

std::string_view severityName(Severity severity) {
    switch (severity) {
        case Severity::Info:
            return "info";
        case Severity::Warning:
            return "warning";
        case Severity::DataLoss:
            return "data_loss";
    }
    return "";
}

void ImportLog::add(std::string_view name, Severity severity, std::uint64_t offset,
                    std::string_view example, std::uint64_t count) {
    const auto known = std::ranges::find(m_issues, name, &ImportIssue::name);
    if (known == m_issues.end()) {
        m_issues.push_back({std::string(name), severity, count, offset, std::string(example)});
        return;
    }
    known->count += count;
    if (offset < known->firstOffset) {
        known->firstOffset = offset;
        known->example = example;
    }
}

void ImportLog::merge(const ImportLog& other) {
    for (const ImportIssue& issue : other.m_issues) {
        add(issue.name, issue.severity, issue.firstOffset, issue.example, issue.count);
    }
    events += other.events;
    skipped += other.skipped;
}

std::vector<ImportIssue> ImportLog::sorted() const {
    std::vector<ImportIssue> issues = m_issues;
    std::ranges::sort(issues, [](const ImportIssue& a, const ImportIssue& b) {
        return std::tie(a.firstOffset, a.name) < std::tie(b.firstOffset, b.name);
    });
    return issues;
}

const ImportIssue* ImportLog::find(std::string_view name) const {
    const auto known = std::ranges::find(m_issues, name, &ImportIssue::name);
    return known == m_issues.end() ? nullptr : &*known;
}

}  // namespace kinetoscope::trace
