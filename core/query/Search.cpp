// SPDX-License-Identifier: Apache-2.0
#include "core/query/Search.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <span>
#include <tuple>

#include "core/base/SortRuns.h"
#include "core/query/RowOrder.h"

namespace kinetoscope::query {

namespace {

bool isExpression(std::string_view pattern) {
    return pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/';
}

template <class Matches>
std::vector<bool> matchNames(const trace::Trace& trace, Matches matches) {
    std::vector<bool> found(trace.names().size());
    for (NameId name = 0; name < found.size(); ++name) {
        found[name] = matches(trace.text(name));
    }
    return found;
}

Result<std::vector<bool>> matchingNames(const trace::Trace& trace, std::string_view pattern) {
    if (!isExpression(pattern)) {
        return matchNames(trace,
                          [pattern](std::string_view name) { return containsText(name, pattern); });
    }
    RE2::Options options;
    options.set_case_sensitive(false);
    options.set_log_errors(false);
    const std::string body(pattern.substr(1, pattern.size() - 2));
    const RE2 expression(body, options);
    if (!expression.ok()) {
        return fail(fmt::format("The regular expression /{}/ cannot be read: {}", body,
                                expression.error()));
    }
    return matchNames(trace, [&expression](std::string_view name) {
        return RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), expression);
    });
}

}  // namespace

Result<std::vector<trace::SliceId>> findSlices(const trace::Trace& trace,
                                               std::string_view pattern) {
    if (pattern.empty()) {
        return std::vector<trace::SliceId>{};
    }
    const auto names = matchingNames(trace, pattern);
    if (!names) {
        return tl::unexpected(names.error());
    }
    std::vector<trace::SliceId> found;
    const auto ids = trace.nameIds();
    for (trace::SliceId slice = 0; slice < ids.size(); ++slice) {
        if ((*names)[ids[slice]]) {
            found.push_back(slice);
        }
    }
    sortRuns(std::span<trace::SliceId>(found), [&trace](trace::SliceId a, trace::SliceId b) {
        return std::tuple(trace.start(a), a) < std::tuple(trace.start(b), b);
    });
    return found;
}

}  // namespace kinetoscope::query
