// SPDX-License-Identifier: Apache-2.0
#include "core/setup/PythonTorch.h"

#include <fmt/format.h>

#include "core/bench/results/JsonFields.h"
#include "core/setup/ProgramOutput.h"

namespace kinetoscope::setup {

namespace {

constexpr double kPatienceSeconds = 60.0;

// The working folder is not searched: files there are not an installation.
constexpr const char* kQuestion = R"(
import sys
sys.path[:] = [p for p in sys.path if p not in ("", ".")]
import glob, importlib.util, json, os, platform, runpy
answer = {"python": sys.executable, "python_version": platform.python_version()}
found = importlib.util.find_spec("torch")
if found and found.submodule_search_locations:
    folder = list(found.submodule_search_locations)[0]
    answer["folder"] = folder
    try:
        facts = runpy.run_path(os.path.join(folder, "version.py"))
    except Exception:
        facts = {}
    answer["version"] = str(facts.get("__version__") or "")
    answer["cuda"] = str(facts.get("cuda") or "")
    pattern = os.path.join(os.path.dirname(folder), "nvidia", "*", "lib", "libcupti.so.*")
    answer["cupti"] = (sorted(glob.glob(pattern)) or [""])[-1]
print("\nKINETOSCOPE " + json.dumps(answer))
)";

}  // namespace

Result<PythonTorch> findPythonTorch(const std::string& python) {
    constexpr std::string_view kMark = "KINETOSCOPE ";
    if (findProgram(python).empty()) {
        return fail(fmt::format("'{}': there is no such program; --python names one", python));
    }
    std::string line;
    const auto output =
        outputOf({python, "-c", kQuestion}, kPatienceSeconds, [&](const std::string& text) {
            if (text.starts_with(kMark)) {
                line = text.substr(kMark.size());
            }
        });
    if (!output) {
        return tl::unexpected(output.error());
    }
    const auto json = json::parseJson(line);
    if (!output->good || !json || !json->is_object()) {
        return fail(
            fmt::format("'{}': does not answer as a Python does: {}", python, output->ending));
    }
    namespace fields = bench::results::fields;
    return PythonTorch{fields::text(*json, "python"), fields::text(*json, "python_version"),
                       fields::text(*json, "folder"), fields::text(*json, "version"),
                       fields::text(*json, "cuda"),   fields::text(*json, "cupti")};
}

}  // namespace kinetoscope::setup
