// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/Options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/import/source/Expansion.h"
#include "core/text/Format.h"

namespace kinetoscope::app {

CLI::Validator plainNumber(double least, double most) {
    const auto check = [least, most](const std::string& text) {
        double value = 0.0;
        const char* const end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data(), end, value);
        if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) {
            return fmt::format("'{}' is not a number; write it in decimal digits", text);
        }
        return value < least || value > most
                   ? fmt::format("{} is not in the range {} to {}", text, least, most)
                   : std::string();
    };
    return {check, fmt::format("FLOAT in [{} - {}]", least, most)};
}

CLI::Validator notNegative() {
    return {[](const std::string& text) {
                return text.starts_with('-') ? "'" + text + "' is below 0" : std::string();
            },
            ""};
}

CLI::Validator oneOf(std::vector<std::string> words) {
    auto check = [words = std::move(words)](const std::string& word) {
        if (std::ranges::find(words, word) != words.end()) {
            return std::string();
        }
        std::vector<std::string> shown = words;
        std::erase(shown, "");
        return fmt::format("'{}' is not one of {}", word, fmt::join(shown, ", "));
    };
    return {std::move(check), ""};
}

namespace {

// Nothing for a word that is neither.
std::optional<bool> switchOf(std::string_view written) {
    const std::string word = text::lowered(written);
    static constexpr std::array<std::string_view, 7> kOn{"", "true", "t", "yes", "y", "on", "1"};
    static constexpr std::array<std::string_view, 6> kOff{"false", "f", "no", "n", "off", "0"};
    if (std::ranges::find(kOn, word) != kOn.end()) {
        return true;
    }
    return std::ranges::find(kOff, word) != kOff.end() ? std::optional(false) : std::nullopt;
}

}  // namespace

CLI::Option* addSwitch(CLI::App& app, const std::string& names, bool& value,
                       const std::string& help) {
    const auto take = [&value](const std::string& word) { value = switchOf(word).value_or(value); };
    const auto check = [](const std::string& word) {
        return switchOf(word) ? std::string() : fmt::format("'{}' is not true or false", word);
    };
    return app.add_option_function<std::string>(names, take, help)
        ->expected(0, 1)
        ->type_name("[BOOL]")
        ->check(CLI::Validator(check, ""));
}

void excludeEachOther(std::initializer_list<CLI::Option*> options) {
    for (CLI::Option* one : options) {
        excludeAll(one, options);
    }
}

void excludeAll(CLI::Option* option, std::initializer_list<CLI::Option*> others) {
    for (CLI::Option* other : others) {
        if (other != nullptr && other != option) {
            option->excludes(other);
        }
    }
}

FormatOptions addFormats(CLI::App& app, OutputFormat& format, const char* json, const char* csv,
                         const char* markdown) {
    const auto add = [&](const char* name, OutputFormat meant, const char* help) {
        return help == nullptr ? nullptr
                               : app.add_flag_callback(
                                     name, [&format, meant] { format = meant; }, help);
    };
    FormatOptions options{add("--json", OutputFormat::Json, json),
                          add("--csv", OutputFormat::Csv, csv),
                          add("--markdown", OutputFormat::Markdown, markdown)};
    for (CLI::Option* one : {options.json, options.csv, options.markdown}) {
        if (one != nullptr) {
            excludeAll(one, {options.json, options.csv, options.markdown});
        }
    }
    return options;
}

Result<double> parseFailOn(std::string_view text, std::string_view word) {
    if (text == word) {
        return 0.0;
    }
    double percent = 0.0;
    const std::string start = std::string(word) + ":";
    if (text.starts_with(start)) {
        const std::string_view rest = text.substr(start.size());
        const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), percent);
        if (parsed.ec == std::errc() && parsed.ptr == rest.data() + rest.size() &&
            std::isfinite(percent) && percent >= 0.0) {
            return percent;
        }
    }
    return fail(fmt::format("'{}' is not {} or {}:PERCENT, as in {}:5", text, word, word, word));
}

CLI::Option* declareWindow(CLI::App& app, analysis::WindowChoice& window, const char* help) {
    const auto take = [&window](const std::string& text) {
        const auto parsed = analysis::parseWindow(text);
        if (!parsed) {
            throw CLI::ValidationError(parsed.error().message);
        }
        window = *parsed;
    };
    return app.add_option_function<std::string>("--window", take, help)->type_name("WINDOW");
}

void declareThreads(CLI::App& app, unsigned& threads) {
    constexpr unsigned kMax = 1024;
    app.add_option("--threads", threads, "Threads that read a trace (default: one per processor)")
        ->type_name("N")
        ->check(CLI::Range(1U, kMax));
    declareExpansion(app);
}

void declareExpansion(CLI::App& app) {
    constexpr double kMaxFactor = 1e9;
    app.add_option("--max-expansion", import::source::expansionLimit().factor,
                   "Up to N bytes of text for each byte of a file; 0: no limit (default: 300)")
        ->type_name("N")
        ->check(plainNumber(0.0, kMaxFactor));
}

}  // namespace kinetoscope::app
