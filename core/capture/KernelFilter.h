// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kinetoscope::capture {

/// Which kernels are wanted: those whose readable name has a match of a regular expression (Perl's,
/// as PCRE2 has it). The time, memory and stack that a name costs are limited, whatever the
/// expression and the name are.
class KernelFilter {
public:
    /// Throws std::bad_alloc.
    explicit KernelFilter(const std::string& expression);
    KernelFilter(const KernelFilter&) = delete;
    KernelFilter& operator=(const KernelFilter&) = delete;
    ~KernelFilter();

    /// Why it is not a regular expression; empty when it is one.
    [[nodiscard]] const std::string& problem() const { return m_problem; }
    /// True also where the limits do not let the expression decide, which is counted.
    [[nodiscard]] bool wants(std::string_view name);
    [[nodiscard]] std::uint64_t undecided() const { return m_undecided; }

private:
    struct Compiled;

    std::unique_ptr<Compiled> m_compiled;
    std::string m_problem;
    std::uint64_t m_undecided = 0;
};

}  // namespace kinetoscope::capture
