// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::analysis {

/// One rule of resources/kernel_rules.json: names that match `pattern` belong to `family`.
struct KernelRule {
    std::string family;
    std::string pattern;                ///< RE2, searched anywhere in the name
    std::vector<std::string> examples;  ///< names this rule must decide
    std::vector<std::string> nots;      ///< names it must not decide
};

/// Families of kernels by name. The first rule that matches decides.
class KernelRules {
public:
    /// Fails, naming the rule, when the text is not a list of rules or a pattern does not compile.
    [[nodiscard]] static Result<KernelRules> fromJson(std::string_view json);
    /// The rules of this program.
    [[nodiscard]] static const KernelRules& builtin();

    KernelRules(KernelRules&&) noexcept;
    KernelRules& operator=(KernelRules&&) noexcept;
    ~KernelRules();

    /// "gemm", "conv", "norm", …; "other" when no rule matches. Valid as long as the rules.
    [[nodiscard]] std::string_view family(std::string_view kernelName) const;
    /// Index in rules() of the rule that decides; rules().size() when none does. Of a mangled name
    /// the first that matches it or its demangled form.
    [[nodiscard]] std::size_t decidingRule(std::string_view kernelName) const;
    [[nodiscard]] const std::vector<KernelRule>& rules() const;

private:
    struct Compiled;
    explicit KernelRules(std::unique_ptr<Compiled> compiled);
    [[nodiscard]] std::size_t firstRule(std::string_view kernelName) const;
    std::unique_ptr<Compiled> m_compiled;
};

/// KernelRules::builtin().family(kernelName).
[[nodiscard]] std::string_view kernelFamily(std::string_view kernelName);

/// Category of every kernel that Inductor did not make.
inline constexpr std::string_view kNoInductorCategory = "unknown";

/// Inductor's category by the prefix of the name: "triton_pointwise", "triton_reduction",
/// "triton_persistent_reduction", "foreach", "template", "split_scan", "triton_unknown" or
/// "unknown".
[[nodiscard]] std::string_view inductorCategory(std::string_view kernelName);

}  // namespace kinetoscope::analysis
