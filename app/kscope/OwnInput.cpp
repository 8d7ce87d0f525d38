// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/OwnInput.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/ranks/JobFiles.h"

namespace kinetoscope::app {

namespace {

namespace fs = std::filesystem;

bool isOutput(const CLI::Option& option) {
    constexpr std::array<std::string_view, 2> kNames{"output", "partial"};
    return std::ranges::any_of(
        kNames, [&](std::string_view name) { return option.check_lname(std::string(name)); });
}

bool sameFile(const std::string& one, const std::string& other) {
    std::error_code error;
    return fs::equivalent(one, other, error);
}

// The answer to the same question, from an earlier run, is not an input where it lies among them.
bool isAnswer(const std::string& file) {
    constexpr std::size_t kBeginning = 64;
    std::string text(kBeginning, '\0');
    std::ifstream(file, std::ios::binary).read(text.data(), kBeginning);
    const std::size_t at = text.find("\"schema\":");
    return at != std::string::npos && text.find("\"kinetoscope.", at) != std::string::npos;
}

// `word` may be anything that stands on a command line.
bool reads(const std::string& word, const std::string& file) {
    std::error_code error;
    if (!fs::is_directory(word, error)) {
        return sameFile(word, file);
    }
    const auto inside = ranks::listJobFiles({word});
    return inside && !isAnswer(file) && std::ranges::any_of(*inside, [&](const std::string& one) {
               return sameFile(one, file);
           });
}

}  // namespace

Result<void> refuseOwnInput(const std::vector<std::string>& words, const std::string& output) {
    if (output.empty()) {
        return fail("'' is no file to write to");
    }
    std::error_code error;
    const bool read =
        fs::is_regular_file(output, error) &&
        std::ranges::any_of(words, [&](const std::string& word) { return reads(word, output); });
    return read ? fail(fmt::format("'{}': is an input file; write to another one", output))
                : Result<void>{};
}

Result<void> refuseOwnInput(const CLI::App& app) {
    std::vector<std::string> outputs;
    std::vector<std::string> words;
    for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
        std::vector<std::string>& into = isOutput(*option) ? outputs : words;
        const std::vector<std::string>& given = option->results();
        into.insert(into.end(), given.begin(), given.end());
    }
    for (const std::string& output : outputs) {
        if (auto allowed = refuseOwnInput(words, output); !allowed) {
            return allowed;
        }
    }
    for (const CLI::App* part : app.get_subcommands()) {
        if (auto allowed = refuseOwnInput(*part); !allowed) {
            return allowed;
        }
    }
    return {};
}

}  // namespace kinetoscope::app
