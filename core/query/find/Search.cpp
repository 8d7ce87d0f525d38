// SPDX-License-Identifier: Apache-2.0
#include "core/query/find/Search.h"

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

constexpr std::size_t kBetweenLooks = 1024;  // at the stop token

template <class Matches>
std::vector<bool> matchNames(const trace::Trace& trace, const std::stop_token& stop,
                             Matches matches) {
    std::vector<bool> found(trace.names().size());
    for (NameId name = 0; name < found.size(); ++name) {
        if (name % kBetweenLooks == 0 && stop.stop_requested()) {
            break;
        }
        found[name] = matches(trace.text(name));
    }
    return found;
}

template <class Takes>
std::vector<trace::SliceId> slicesOf(const trace::Trace& trace, Takes takes) {
    std::vector<trace::SliceId> found;
    const auto ids = trace.nameIds();
    for (trace::SliceId slice = 0; slice < ids.size(); ++slice) {
        if (takes(ids[slice])) {
            found.push_back(slice);
        }
    }
    sortRuns(std::span<trace::SliceId>(found), [&trace](trace::SliceId a, trace::SliceId b) {
        return std::tuple(trace.start(a), a) < std::tuple(trace.start(b), b);
    });
    return found;
}

Result<std::vector<bool>> matchingNames(const trace::Trace& trace, std::string_view pattern,
                                        const std::stop_token& stop) {
    if (!isExpression(pattern)) {
        return matchNames(trace, stop,
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
    return matchNames(trace, stop, [&expression](std::string_view name) {
        return RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), expression);
    });
}

}  // namespace

Result<std::vector<trace::SliceId>> findSlices(const trace::Trace& trace, std::string_view pattern,
                                               const std::stop_token& stop) {
    if (pattern.empty()) {
        return std::vector<trace::SliceId>{};
    }
    const auto names = matchingNames(trace, pattern, stop);
    if (!names) {
        return tl::unexpected(names.error());
    }
    if (stop.stop_requested()) {
        return fail("stopped", ErrorKind::Cancelled);
    }
    return slicesOf(trace, [&names](NameId name) { return (*names)[name]; });
}

std::vector<trace::SliceId> slicesNamed(const trace::Trace& trace, NameId name) {
    return slicesOf(trace, [name](NameId other) { return other == name; });
}

}  // namespace kinetoscope::query
