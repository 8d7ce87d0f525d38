// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/kscope/Command.h"
#include "app/kscope/Options.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/setup/CompletionScripts.h"

namespace kinetoscope::app {

std::function<int()> declareCompletion(CLI::App& app) {
    auto shell = std::make_shared<std::string>();
    app.add_option("SHELL", *shell)->required()->check(oneOf({"bash", "zsh", "fish"}));
    app.footer(
        "Packages install these scripts. Otherwise:\n"
        "  eval \"$(kscope completion bash)\"                                    in ~/.bashrc\n"
        "  kscope completion zsh > ~/.zfunc/_kscope                            and "
        "fpath+=~/.zfunc\n"
        "  kscope completion fish > ~/.config/fish/completions/kscope.fish\n");
    return [shell] {
        const Outline all = outlineOfAll();
        const auto written = printOut(*shell == "bash"  ? bashCompletion(all)
                                      : *shell == "zsh" ? zshCompletion(all)
                                                        : fishCompletion(all));
        return written ? static_cast<int>(kExitGood) : reportError(written.error());
    };
}

}  // namespace kinetoscope::app
