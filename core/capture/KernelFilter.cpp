// SPDX-License-Identifier: Apache-2.0
#include "core/capture/KernelFilter.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

namespace kinetoscope::capture {

namespace {

constexpr std::size_t kMaxExpressionLength = 4096;
constexpr std::uint32_t kMaxParentheses = 64;
// Some tens of milliseconds; a name of a million characters stays far below for what people write.
constexpr std::uint32_t kMaxSteps = 4'000'000;
constexpr std::uint32_t kMaxKiB = 64 * 1024;

std::string messageOf(int error) {
    std::array<PCRE2_UCHAR, 256> text{};
    ::pcre2_get_error_message(error, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

}  // namespace

struct KernelFilter::Compiled {
    pcre2_code* code = nullptr;
    pcre2_match_data* match = nullptr;
    pcre2_match_context* limits = nullptr;

    Compiled() = default;
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled() {
        ::pcre2_match_context_free(limits);
        ::pcre2_match_data_free(match);
        ::pcre2_code_free(code);
    }
};

KernelFilter::KernelFilter(const std::string& expression)
    : m_compiled(std::make_unique<Compiled>()) {
    pcre2_compile_context* context = ::pcre2_compile_context_create(nullptr);
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    ::pcre2_set_parens_nest_limit(context, kMaxParentheses);
    ::pcre2_set_max_pattern_length(context, kMaxExpressionLength);
    int error = 0;
    PCRE2_SIZE at = 0;
    m_compiled->code =
        ::pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                        PCRE2_NO_AUTO_CAPTURE | PCRE2_NEVER_BACKSLASH_C, &error, &at, context);
    ::pcre2_compile_context_free(context);
    if (m_compiled->code == nullptr) {
        m_problem = messageOf(error) + ", at character " + std::to_string(at + 1);
        return;
    }
    m_compiled->match = ::pcre2_match_data_create(1, nullptr);
    m_compiled->limits = ::pcre2_match_context_create(nullptr);
    if (m_compiled->match == nullptr || m_compiled->limits == nullptr) {
        throw std::bad_alloc();
    }
    ::pcre2_set_match_limit(m_compiled->limits, kMaxSteps);
    ::pcre2_set_heap_limit(m_compiled->limits, kMaxKiB);
}

KernelFilter::~KernelFilter() = default;

bool KernelFilter::wants(std::string_view name) {
    if (m_compiled->match == nullptr) {
        return true;
    }
    const int result = ::pcre2_match(m_compiled->code, reinterpret_cast<PCRE2_SPTR>(name.data()),
                                     name.size(), 0, 0, m_compiled->match, m_compiled->limits);
    if (result < 0 && result != PCRE2_ERROR_NOMATCH) {
        ++m_undecided;
        return true;
    }
    return result >= 0;
}

}  // namespace kinetoscope::capture
