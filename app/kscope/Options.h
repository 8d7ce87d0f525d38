// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/kscope/Command.h"
#include "core/analysis/Window.h"
#include "core/base/Result.h"

namespace kinetoscope::app {

/// A check for options with a number: decimal, finite, from `least` to `most`. CLI11 alone takes
/// "nan" for a number in any range, and hexadecimal ones too.
[[nodiscard]] CLI::Validator plainNumber(double least, double most);

/// A check for options with a count: CLI11 alone takes "-1" for a large one.
[[nodiscard]] CLI::Validator notNegative();

/// A check for options that take one of these words, of which one may be empty: no word at all.
[[nodiscard]] CLI::Validator oneOf(std::vector<std::string> words);

/// An option that is on alone and off or on with a word behind it, as click has them: true, t, yes,
/// y, on, 1 and their opposites, in any case. Anything else is an error.
CLI::Option* addSwitch(CLI::App& app, const std::string& names, bool& value,
                       const std::string& help);

/// Of these options one at most may be given.
void excludeEachOther(std::initializer_list<CLI::Option*> options);
/// Makes the option exclude all others.
void excludeAll(CLI::Option* option, std::initializer_list<CLI::Option*> others);

/// --json, --csv and --markdown, one at most; null where a command lacks one.
struct FormatOptions {
    CLI::Option* json = nullptr;
    CLI::Option* csv = nullptr;
    CLI::Option* markdown = nullptr;
};

/// Declares those that have a help text. `format` is theirs while it is parsed.
FormatOptions addFormats(CLI::App& app, OutputFormat& format, const char* json, const char* csv,
                         const char* markdown);

/// The percents of "WORD" (0) or "WORD:PERCENT", as --fail-on has it.
[[nodiscard]] Result<double> parseFailOn(std::string_view text, std::string_view word);

/// The option --window. `window` is its own while it is parsed.
CLI::Option* declareWindow(CLI::App& app, analysis::WindowChoice& window, const char* help);

/// The options of commands that load a trace: --threads, and --max-expansion beside it.
void declareThreads(CLI::App& app, unsigned& threads);

/// The option --max-expansion, for the whole process.
void declareExpansion(CLI::App& app);

/// An option whose words stand for values.
template <class T, class Value>
CLI::Option* addChoice(CLI::App& app, const char* name, Value& value,
                       std::vector<std::pair<std::string, T>> choices, const std::string& help) {
    std::vector<std::string> words;
    words.reserve(choices.size());
    for (const auto& choice : choices) {
        words.push_back(choice.first);
    }
    const auto take = [&value, choices = std::move(choices)](const std::string& word) {
        for (const auto& [known, meant] : choices) {
            if (known == word) {
                value = meant;
            }
        }
    };
    return app.add_option_function<std::string>(name, take, help)->check(oneOf(std::move(words)));
}

}  // namespace kinetoscope::app
