// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/setup/CompletionScripts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <string_view>
#include <vector>

namespace kinetoscope::app {

namespace {

// Calls `visit` with each command and its words behind "kscope", the whole first: "", "bench",
// "bench kernels".
void visitAll(const Outline& outline, const std::string& path,
              const std::function<void(const Outline&, const std::string&)>& visit) {
    visit(outline, path);
    for (const Outline& part : outline.parts) {
        visitAll(part, path.empty() ? part.name : path + " " + part.name, visit);
    }
}

std::string shellQuoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return result + "'";
}

// A shell's pattern of all commands: 'report'|'bench kernels'.
std::string anyPath(const Outline& all, const char* between) {
    std::vector<std::string> paths;
    visitAll(all, {}, [&](const Outline&, const std::string& path) {
        if (!path.empty()) {
            paths.push_back(shellQuoted(path));
        }
    });
    return fmt::format("{}", fmt::join(paths, between));
}

std::vector<std::string> partNames(const Outline& outline) {
    std::vector<std::string> names;
    names.reserve(outline.parts.size());
    for (const Outline& part : outline.parts) {
        names.push_back(part.name);
    }
    return names;
}

// In zsh's specifications ":" and brackets divide.
std::string zshText(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c == ':' || c == '[' || c == ']' || c == '\\' ? "\\" : "";
        result += c;
    }
    return result;
}

std::string zshOption(const OutlineOption& option, const std::string& name) {
    const std::string others = fmt::format("({})", fmt::join(option.names, " "));
    return "        " +
           shellQuoted(others + name + "[" + zshText(option.help) + "]" +
                       (option.takesValue ? ":value:_files" : "")) +
           " \\\n";
}

// The function that completes the command and, by calling theirs, its parts.
std::string zshFunction(const Outline& outline, const std::string& name) {
    std::string text = name +
                       "() {\n    local context state state_descr line\n"
                       "    typeset -A opt_args\n    _arguments -C \\\n";
    for (const OutlineOption& option : outline.options) {
        for (const std::string& one : option.names) {
            text += zshOption(option, one);
        }
    }
    if (outline.parts.empty()) {
        return text + "        '*:file:_files'\n}\n";
    }
    text +=
        "        '1:command:->command' '*::argument:->argument'\n    case $state in\n"
        "        command)\n            local -a commands\n            commands=(\n";
    for (const Outline& part : outline.parts) {
        text += "                " + shellQuoted(part.name + ":" + zshText(part.summary)) + "\n";
    }
    text +=
        "            )\n            _describe command commands ;;\n"
        "        argument)\n            case $words[1] in\n";
    for (const Outline& part : outline.parts) {
        text += fmt::format("                {0}) {1}_{0} ;;\n", part.name, name);
    }
    return text + "            esac ;;\n    esac\n}\n";
}

std::string zshFunctions(const Outline& outline, const std::string& name) {
    std::string text;
    for (const Outline& part : outline.parts) {
        text += zshFunctions(part, name + "_" + part.name);
    }
    return text + zshFunction(outline, name);
}

std::string fishOption(const OutlineOption& option, const std::string& condition) {
    std::string text = "complete -c kscope -n " + condition;
    for (const std::string& name : option.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    return text + (option.takesValue ? " -r" : "") + " -d " + shellQuoted(option.help) + "\n";
}

}  // namespace

std::string bashCompletion(const Outline& all) {
    std::string words;
    std::string values;
    visitAll(all, {}, [&](const Outline& outline, const std::string& path) {
        std::vector<std::string> options;
        for (const OutlineOption& option : outline.options) {
            options.insert(options.end(), option.names.begin(), option.names.end());
            for (const std::string& name : option.names) {
                if (option.takesValue) {
                    values += values.empty() ? "" : "|";
                    values += shellQuoted(fmt::format("{} {}", path, name));
                }
            }
        }
        words += fmt::format("        {}) options='{}' parts='{}' ;;\n", shellQuoted(path),
                             fmt::join(options, " "), fmt::join(partNames(outline), " "));
    });
    return fmt::format(R"(# Completion of kscope in bash, written by `kscope completion bash`.
_kscope() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local path= options= parts= word
    COMPREPLY=()
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        [ "$word" = -- ] && return  # the words of a program follow
        case "${{path:+$path }}$word" in
            {}) path="${{path:+$path }}$word" ;;
        esac
    done
    case "$path" in
{}    esac
    case "$path $before" in
        {}) return ;;  # a value, which may be a file
    esac
    case "$current" in
        -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
        *) COMPREPLY=($(compgen -W "$parts" -- "$current")) ;;
    esac
}}
complete -o bashdefault -o default -F _kscope kscope
)",
                       anyPath(all, "|"), words, values);
}

std::string zshCompletion(const Outline& all) {
    return "#compdef kscope\n# Completion of kscope in zsh, written by `kscope completion zsh`.\n" +
           zshFunctions(all, "_kscope") +
           "# Read by the shell's completion, or by a .zshrc.\n"
           "if [ \"$funcstack[1]\" = _kscope ]; then _kscope \"$@\"; else compdef _kscope kscope; "
           "fi\n";
}

std::string fishCompletion(const Outline& all) {
    std::string text = fmt::format(
        R"(# Completion of kscope in fish, written by `kscope completion fish`.
function __kscope_at
    set -l path
    for word in (commandline -opc)[2..-1]
        switch (string join ' ' -- $path $word)
            case {}
                set path $path $word
        end
    end
    set -l joined (string join ' ' -- $path)
    test "$joined" = "$argv[1]"
end
)",
        anyPath(all, " "));
    visitAll(all, {}, [&](const Outline& outline, const std::string& path) {
        const std::string condition = "\"__kscope_at " + shellQuoted(path) + "\"";
        for (const OutlineOption& option : outline.options) {
            text += fishOption(option, condition);
        }
        for (const Outline& part : outline.parts) {
            text += fmt::format("complete -c kscope -n {} -f -a {} -d {}\n", condition, part.name,
                                shellQuoted(part.summary));
        }
    });
    return text;
}

}  // namespace kinetoscope::app
