// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kinetoscope::about {

/// A library or program that something needs.
struct Component {
    std::string name;
    bool available = false;
    std::string version;  ///< empty: unknown, or not installed
    std::string path;     ///< of a file; empty: part of the program
    std::string purpose;  ///< what needs it
    std::string problem;  ///< why it is not available; else empty
};

struct About {
    std::string version;
    std::string commit;    ///< of git, shortened; empty: built from no checkout
    std::string compiler;  ///< name and version
    std::vector<Component> components;
};

/// "PROGRAM VERSION", then commit, compiler and choices of the build, a line each; without a line
/// break at the end.
[[nodiscard]] std::string versionText(const std::string& program, const std::string& version);

/// The description that kscope-torch at this path gives of itself.
[[nodiscard]] Component askTorch(const std::string& program);

/// Opens what can be opened on this machine, the driver and CUPTI too, and asks each for its
/// version. Starts kscope-torch for its own; takes seconds where that opens a GPU.
[[nodiscard]] About findOut(const std::string& version);

[[nodiscard]] std::string aboutText(const About& about);
[[nodiscard]] std::string aboutJson(const About& about);

}  // namespace kinetoscope::about
