// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::compare {

/// One rule of resources/match_rules.json.
struct NameRule {
    std::string name;
    std::string pattern;  ///< RE2
    std::string replacement;
    bool repeat = false;                                        ///< until nothing changes
    std::vector<std::pair<std::string, std::string>> examples;  ///< before and after
    std::vector<std::string> nots;                              ///< names it must leave alone
};

/// Parts that are left out of kernel names when two runs are matched, and the names that operators
/// have inside fused kernels.
class MatchRules {
public:
    /// Fails, naming the rule, when the text is not a list of rules or a pattern does not compile.
    [[nodiscard]] static Result<MatchRules> fromJson(std::string_view json);
    /// The rules of this program.
    [[nodiscard]] static const MatchRules& builtin();

    MatchRules(MatchRules&&) noexcept;
    MatchRules& operator=(MatchRules&&) noexcept;
    ~MatchRules();

    [[nodiscard]] const std::vector<NameRule>& rules() const;
    /// `text` after rules()[rule] alone.
    [[nodiscard]] std::string apply(std::size_t rule, std::string text) const;
    /// A kernel's name without what varies between builds, inputs and precisions.
    [[nodiscard]] std::string normalised(std::string_view kernelName) const;
    /// What "aten::add_" is called in names of fused kernels: at least its own name.
    [[nodiscard]] std::vector<std::string> fusedNames(std::string_view operatorName) const;

private:
    struct Compiled;
    explicit MatchRules(std::unique_ptr<Compiled> compiled);
    std::unique_ptr<Compiled> m_compiled;
};

/// "aten::add_" without its name space and the underscore of the in-place variant: "add".
[[nodiscard]] std::string_view plainOperator(std::string_view operatorName);

/// "add_gelu" of "triton_poi_fused_add_gelu_3"; empty for kernels that are not called so.
[[nodiscard]] std::string_view fusedPart(std::string_view kernelName);

}  // namespace kinetoscope::compare
