// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/Result.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace kinetoscope::query {

/// What row names are filtered by: a text that they hold, without regard to case, or a regular
/// expression between slashes
/// ("/gemm|conv/", also without regard to case). An empty one is in every name.
class NameFilter {
public:
    NameFilter() = default;
    /// Fails if the expression is invalid.
    [[nodiscard]] static Result<NameFilter> make(std::string_view pattern);

    [[nodiscard]] bool isEmpty() const { return m_text.empty() && !m_expression; }
    [[nodiscard]] bool matches(std::string_view name) const;

private:
    std::string m_text;
    std::shared_ptr<const re2::RE2> m_expression;
};

/// The pattern that only this name matches.
[[nodiscard]] std::string patternFor(std::string_view name);

}  // namespace kinetoscope::query
