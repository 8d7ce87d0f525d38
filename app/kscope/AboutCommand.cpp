// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/Terminal.h"
#include "core/about/About.h"

namespace kinetoscope::app {

std::function<int()> declareAbout(CLI::App& app) {
    auto asJson = std::make_shared<bool>(false);
    app.add_flag("--json", *asJson, "As JSON");
    return [asJson] {
        const about::About about = about::findOut(KINETOSCOPE_VERSION);
        const auto written = printOut(*asJson ? about::aboutJson(about) : about::aboutText(about));
        return written ? static_cast<int>(kExitGood) : reportError(written.error());
    };
}

}  // namespace kinetoscope::app
