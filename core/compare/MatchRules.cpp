// SPDX-License-Identifier: Apache-2.0
#include "core/compare/MatchRules.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "core/json/Json.h"
#include "core/text/KernelLabel.h"
#include "core/text/Printable.h"

namespace kinetoscope {

extern const std::string_view kMatchRulesJson;  // resources/match_rules.json

}  // namespace kinetoscope

namespace kinetoscope::compare {

namespace {

// A rule that undoes itself would never end.
constexpr int kMaxRepeats = 64;
// Templates nest into names of many kilobytes; kernels differ well before this.
constexpr std::size_t kMaxNameLength = 1U << 14U;

RE2::Options patternOptions() {
    RE2::Options options;
    options.set_log_errors(false);
    // Names are bytes: not every file holds valid UTF-8.
    options.set_encoding(RE2::Options::EncodingLatin1);
    return options;
}

NameRule ruleOf(const nlohmann::json& json) {
    NameRule rule{json.at("name"),
                  json.at("pattern"),
                  json.at("replace"),
                  json.value("repeat", false),
                  {},
                  json.value("not", std::vector<std::string>{})};
    for (const auto& example : json.at("examples")) {
        rule.examples.emplace_back(example.at(0), example.at(1));
    }
    return rule;
}

}  // namespace

struct MatchRules::Compiled {
    std::vector<NameRule> rules;
    std::vector<std::unique_ptr<RE2>> patterns;
    std::map<std::string, std::vector<std::string>, std::less<>> fusions;
};

MatchRules::MatchRules(std::unique_ptr<Compiled> compiled) : m_compiled(std::move(compiled)) {}
MatchRules::MatchRules(MatchRules&&) noexcept = default;
MatchRules& MatchRules::operator=(MatchRules&&) noexcept = default;
MatchRules::~MatchRules() = default;

Result<MatchRules> MatchRules::fromJson(std::string_view json) {
    auto compiled = std::make_unique<Compiled>();
    const auto document = json::parseJson(json);
    if (!document) {
        return fail(fmt::format("the match rules are not a list of rules: the text {}",
                                document.error().message));
    }
    try {
        for (const auto& rule : document->at("rules")) {
            compiled->rules.push_back(ruleOf(rule));
        }
        for (const auto& [name, parts] : document->at("fusions").items()) {
            compiled->fusions[name] = parts.get<std::vector<std::string>>();
        }
    } catch (const nlohmann::json::exception& error) {
        return fail(fmt::format("the match rules are not a list of rules: {}", error.what()));
    }
    for (const NameRule& rule : compiled->rules) {
        auto pattern = std::make_unique<RE2>(rule.pattern, patternOptions());
        std::string error = pattern->error();
        if (!pattern->ok() || !pattern->CheckRewriteString(rule.replacement, &error)) {
            return fail(text::printable(fmt::format("match rule \"{}\": {}", rule.name, error)));
        }
        compiled->patterns.push_back(std::move(pattern));
    }
    return MatchRules(std::move(compiled));
}

const MatchRules& MatchRules::builtin() {
    static const MatchRules rules = fromJson(kMatchRulesJson).value();
    return rules;
}

const std::vector<NameRule>& MatchRules::rules() const {
    return m_compiled->rules;
}

std::string MatchRules::apply(std::size_t rule, std::string text) const {
    const RE2& pattern = *m_compiled->patterns[rule];
    const NameRule& row = m_compiled->rules[rule];
    const int most = row.repeat ? kMaxRepeats : 1;
    for (int i = 0; i < most; ++i) {
        // One that makes names longer each time ends, too.
        if (text.size() > kMaxNameLength ||
            RE2::GlobalReplace(&text, pattern, row.replacement) == 0) {
            break;
        }
    }
    return text;
}

std::string MatchRules::normalised(std::string_view kernelName) const {
    std::string name = text::kernelLabel(kernelName.substr(0, kMaxNameLength));
    for (std::size_t rule = 0; rule < rules().size(); ++rule) {
        name = apply(rule, std::move(name));
    }
    return name;
}

std::vector<std::string> MatchRules::fusedNames(std::string_view operatorName) const {
    const std::string_view plain = plainOperator(operatorName);
    std::vector<std::string> names{std::string(plain)};
    if (const auto found = m_compiled->fusions.find(plain); found != m_compiled->fusions.end()) {
        for (const std::string& name : found->second) {
            if (name != plain) {
                names.push_back(name);
            }
        }
    }
    return names;
}

std::string_view plainOperator(std::string_view operatorName) {
    const std::size_t space = operatorName.rfind("::");
    std::string_view plain =
        space == std::string_view::npos ? operatorName : operatorName.substr(space + 2);
    return plain.size() > 1 && plain.ends_with('_') ? plain.substr(0, plain.size() - 1) : plain;
}

std::string_view fusedPart(std::string_view kernelName) {
    constexpr std::string_view kFused = "_fused_";
    const std::size_t at = kernelName.find(kFused);
    if (!kernelName.starts_with("triton_") || at == std::string_view::npos) {
        return {};
    }
    std::string_view part = kernelName.substr(at + kFused.size());
    const std::size_t counter = part.find_last_not_of("0123456789");
    return counter != std::string_view::npos && counter + 1 < part.size() && part[counter] == '_'
               ? part.substr(0, counter)
               : part;
}

}  // namespace kinetoscope::compare
