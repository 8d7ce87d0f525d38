// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/Terminal.h"
#include "core/setup/Doctor.h"

namespace kinetoscope::app {

std::function<int()> declareDoctor(CLI::App& app) {
    auto places = std::make_shared<setup::Places>();
    auto asJson = std::make_shared<bool>(false);
    app.add_flag("--json", *asJson, "As JSON");
    app.add_option("--python", places->python, "Whose PyTorch is meant (default: python3)")
        ->type_name("PYTHON");
    app.footer(
        "good: it is there; look: it is there, but something is to be done; missing: it is not\n"
        "there, which matters only to what it is for. → says what to do. Python, kscope-torch and\n"
        "the window's program are started for their versions.\n");
    return [places, asJson] {
        const auto checks = setup::diagnose(*places);
        const auto written =
            printOut(*asJson ? setup::doctorJson(checks) : setup::doctorText(checks));
        return written ? static_cast<int>(kExitGood) : reportError(written.error());
    };
}

}  // namespace kinetoscope::app
