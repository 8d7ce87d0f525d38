// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/json/Json.h"
#include "core/setup/Doctor.h"
#include "core/text/Printable.h"

namespace kinetoscope::setup {

std::string doctorText(const std::vector<Check>& checks) {
    std::string text;
    const auto line = [&](std::string_view state, std::string_view name, std::string_view said) {
        if (!said.empty()) {
            text += fmt::format("{:<8} {:<16} {}\n", state, name, text::printable(said));
        }
    };
    for (const Check& check : checks) {
        const about::Component& part = check.part;
        line(check.state(), part.name,
             !part.available ? "for " + part.purpose
                             : (part.version.empty() ? "there" : part.version));
        line("", "", part.path);
        line("", "", part.problem);
        line("", "", check.remedy.empty() ? "" : "→ " + check.remedy);
    }
    const auto good = std::ranges::count(checks, std::string("good"), &Check::state);
    return text +
           fmt::format("\n{} of {} good; none of them is needed to read and compare traces\n", good,
                       checks.size());
}

std::string doctorJson(const std::vector<Check>& checks) {
    auto all = nlohmann::ordered_json::array();
    for (const Check& check : checks) {
        all.push_back({{"name", check.part.name},
                       {"state", check.state()},
                       {"version", check.part.version},
                       {"path", check.part.path},
                       {"purpose", check.part.purpose},
                       {"problem", check.part.problem},
                       {"remedy", check.remedy}});
    }
    return json::jsonText(nlohmann::ordered_json{{"checks", std::move(all)}}) + "\n";
}

}  // namespace kinetoscope::setup
