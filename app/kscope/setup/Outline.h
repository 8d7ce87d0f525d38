// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kinetoscope::app {

/// An option, as completion needs it.
struct OutlineOption {
    std::vector<std::string> names;  ///< "-o", "--output"
    std::string help;                ///< one line
    bool takesValue = false;
};

/// A command and those below it, without what is hidden.
struct Outline {
    std::string name;  ///< "report"; "kscope" of the whole
    std::string summary;
    std::vector<OutlineOption> options;
    std::vector<Outline> parts;
};

/// kscope as its commands declare themselves.
[[nodiscard]] Outline outlineOfAll();

}  // namespace kinetoscope::app
