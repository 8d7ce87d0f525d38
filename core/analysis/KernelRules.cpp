// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/KernelRules.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/Demangle.h"
#include "core/json/Json.h"
#include "core/text/Printable.h"

namespace kinetoscope {

extern const std::string_view kKernelRulesJson;  // resources/kernel_rules.json

}  // namespace kinetoscope

namespace kinetoscope::analysis {

namespace {

constexpr std::string_view kNoFamily = "other";
// One automaton for all rules; names of several hundred characters need more than the default.
constexpr std::int64_t kSetMemory = 64LL << 20U;
// Templates nest into names of many kilobytes; what a kernel does stands well before this.
constexpr std::size_t kMaxNameLength = 1U << 16U;

RE2::Options patternOptions() {
    RE2::Options options;
    options.set_log_errors(false);
    // Names are bytes: not every file holds valid UTF-8.
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_max_mem(kSetMemory);
    return options;
}

std::vector<std::string> textsOf(const nlohmann::json& rule, const char* key) {
    return rule.value(key, std::vector<std::string>{});
}

}  // namespace

struct KernelRules::Compiled {
    std::vector<KernelRule> rules;
    RE2::Set all{patternOptions(), RE2::UNANCHORED};
};

KernelRules::KernelRules(std::unique_ptr<Compiled> compiled) : m_compiled(std::move(compiled)) {}
KernelRules::KernelRules(KernelRules&&) noexcept = default;
KernelRules& KernelRules::operator=(KernelRules&&) noexcept = default;
KernelRules::~KernelRules() = default;

Result<KernelRules> KernelRules::fromJson(std::string_view json) {
    auto compiled = std::make_unique<Compiled>();
    const auto document = json::parseJson(json);
    if (!document) {
        return fail(fmt::format("the kernel rules are not a list of rules: the text {}",
                                document.error().message));
    }
    try {
        for (const auto& rule : document->at("rules")) {
            compiled->rules.push_back({rule.at("family"), rule.at("pattern"),
                                       textsOf(rule, "examples"), textsOf(rule, "not")});
        }
    } catch (const nlohmann::json::exception& error) {
        return fail(fmt::format("the kernel rules are not a list of rules: {}", error.what()));
    }
    for (const KernelRule& rule : compiled->rules) {
        std::string error;
        if (compiled->all.Add(rule.pattern, &error) < 0) {
            return fail(text::printable(
                fmt::format("rule \"{}\" of family {}: {}", rule.pattern, rule.family, error)));
        }
    }
    if (!compiled->all.Compile()) {
        return fail("the kernel rules are too large together");
    }
    return KernelRules(std::move(compiled));
}

const KernelRules& KernelRules::builtin() {
    static const KernelRules rules = fromJson(kKernelRulesJson).value();
    return rules;
}

const std::vector<KernelRule>& KernelRules::rules() const {
    return m_compiled->rules;
}

std::size_t KernelRules::decidingRule(std::string_view kernelName) const {
    if (!isMangled(kernelName)) {
        return firstRule(kernelName);
    }
    // Patterns for demangled names, and others that only mangled arguments match.
    return std::min(firstRule(demangledName(kernelName)), firstRule(kernelName));
}

std::size_t KernelRules::firstRule(std::string_view kernelName) const {
    const re2::StringPiece name(kernelName.data(), std::min(kernelName.size(), kMaxNameLength));
    std::vector<int> matches;
    RE2::Set::ErrorInfo error{};
    if (m_compiled->all.Match(name, &matches, &error)) {
        return static_cast<std::size_t>(*std::ranges::min_element(matches));
    }
    if (error.kind == RE2::Set::kNoError) {
        return m_compiled->rules.size();
    }
    // The common automaton ran out of memory on this name: ask one by one. So rare that patterns of
    // their own, compiled each time for all programs, would cost more.
    const auto found = std::ranges::find_if(m_compiled->rules, [&](const KernelRule& rule) {
        return RE2::PartialMatch(name, RE2(rule.pattern, patternOptions()));
    });
    return static_cast<std::size_t>(found - m_compiled->rules.begin());
}

std::string_view KernelRules::family(std::string_view kernelName) const {
    const std::size_t rule = decidingRule(kernelName);
    return rule < m_compiled->rules.size() ? std::string_view(m_compiled->rules[rule].family)
                                           : kNoFamily;
}

std::string_view kernelFamily(std::string_view kernelName) {
    return KernelRules::builtin().family(kernelName);
}

std::string_view inductorCategory(std::string_view kernelName) {
    struct Prefix {
        std::string_view prefix;
        std::string_view category;
    };
    static constexpr std::array<Prefix, 8> kPrefixes{{
        {"triton_poi", "triton_pointwise"},
        {"triton_red", "triton_reduction"},
        {"triton_per", "triton_persistent_reduction"},
        {"triton_for", "foreach"},
        {"triton_tem", "template"},
        {"triton_mm", "template"},
        {"triton_spl", "split_scan"},
        {"triton_", "triton_unknown"},
    }};
    for (const Prefix& row : kPrefixes) {
        if (kernelName.starts_with(row.prefix)) {
            return row.category;
        }
    }
    return kNoInductorCategory;
}

}  // namespace kinetoscope::analysis
