// SPDX-License-Identifier: Apache-2.0
#include "core/query/find/NameFilter.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/query/RowOrder.h"

namespace kinetoscope::query {

Result<NameFilter> NameFilter::make(std::string_view pattern) {
    NameFilter filter;
    if (pattern.size() <= 2 || pattern.front() != '/' || pattern.back() != '/') {
        filter.m_text = pattern;
        return filter;
    }
    RE2::Options options;
    options.set_case_sensitive(false);
    options.set_log_errors(false);
    const std::string body(pattern.substr(1, pattern.size() - 2));
    filter.m_expression = std::make_shared<const RE2>(body, options);
    if (!filter.m_expression->ok()) {
        return fail(fmt::format("The regular expression /{}/ cannot be read: {}", body,
                                filter.m_expression->error()));
    }
    return filter;
}

bool NameFilter::matches(std::string_view name) const {
    return m_expression
               ? RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *m_expression)
               : containsText(name, m_text);
}

std::string patternFor(std::string_view name) {
    return "/^" + RE2::QuoteMeta(re2::StringPiece(name.data(), name.size())) + "$/";
}

}  // namespace kinetoscope::query
