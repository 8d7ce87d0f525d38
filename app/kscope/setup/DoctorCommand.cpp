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
    app.add_flag("--json", *asJson, "Print as JSON");
    app.add_option("--python", places->python, "Python whose PyTorch to check (default: python3)")
        ->type_name("PYTHON");
    app.footer(
        "good: available; look: available, but needs attention; missing: not available, which "
        "only\n"
        "affects the features named. → says what to do. Python, kscope-torch and kinetoscope are\n"
        "started to ask for their versions.\n");
    return [places, asJson] {
        const auto checks = setup::diagnose(*places);
        const auto written =
            printOut(*asJson ? setup::doctorJson(checks) : setup::doctorText(checks));
        return written ? static_cast<int>(kExitGood) : reportError(written.error());
    };
}

}  // namespace kinetoscope::app
