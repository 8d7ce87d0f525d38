// SPDX-License-Identifier: Apache-2.0
#include "core/setup/TorchBuild.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/about/About.h"
#include "core/base/TemporaryFiles.h"
#include "core/base/UserFolders.h"
#include "core/setup/ProgramOutput.h"

namespace kinetoscope::setup {

namespace fs = std::filesystem;

namespace {

using Say = std::function<void(const std::string&)>;

// One file that includes all of PyTorch takes a minute, on a busy machine several.
constexpr double kBuildPatienceSeconds = 1800.0;

bool isSource(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / "CMakeLists.txt", error) &&
           fs::exists(folder / "app/kscope-torch/main.cpp", error);
}

// The compilers to try, CMake's own choice first: some are set up to link libstdc++ statically,
// which no program with a PyTorch survives.
std::vector<std::string> compilers(const std::string& chosen) {
    if (!chosen.empty()) {
        return {chosen};
    }
    std::vector<std::string> found{""};
    for (const char* name : {"/usr/bin/g++", "g++-14", "g++-13", "g++-12", "g++-11", "clang++"}) {
        if (std::string path = findProgram(name); !path.empty()) {
            found.push_back(std::move(path));
        }
    }
    return found;
}

// Says the last lines of what a program wrote.
tl::unexpected<Error> failed(std::string_view what, const ProgramOutput& output, const Say& say) {
    constexpr std::ptrdiff_t kLines = 30;
    std::vector<std::string> lines;
    std::istringstream text(output.text);
    for (std::string line; std::getline(text, line);) {
        lines.push_back(std::move(line));
    }
    std::for_each(lines.end() - std::min(std::ssize(lines), kLines), lines.end(), say);
    return fail(fmt::format("{} failed, {}; see its output above", what, output.ending),
                ErrorKind::Output);
}

// CMake breaks its lines anywhere.
bool linksStatically(const std::string& text) {
    std::istringstream words(text);
    std::string joined;
    for (std::string word; words >> word;) {
        joined += word + " ";
    }
    return joined.find("links libstdc++ statically") != std::string::npos;
}

Result<void> configure(const TorchBuild& build, const std::string& folder, const Say& say) {
    ProgramOutput output;
    for (const std::string& compiler : compilers(build.compiler)) {
        std::vector<std::string> words{"cmake",
                                       "-S",
                                       build.source,
                                       "-B",
                                       folder,
                                       "-DCMAKE_BUILD_TYPE=Release",
                                       "-DKINETOSCOPE_TORCH_ONLY=ON",
                                       "-DKINETOSCOPE_UNITY=ON",
                                       "-DTorch_DIR=" + build.torch + "/share/cmake/Torch"};
        if (!compiler.empty()) {
            words.push_back("-DCMAKE_CXX_COMPILER=" + compiler);
        }
        if (!findProgram("ninja").empty()) {
            words.insert(words.end(), {"-G", "Ninja"});
        }
        say("configuring" + (compiler.empty() ? "" : " for " + compiler));
        auto ran = outputOf(std::move(words), kBuildPatienceSeconds);
        if (!ran) {
            return tl::unexpected(ran.error());
        }
        if (ran->good) {
            return {};
        }
        output = std::move(*ran);
        if (!linksStatically(output.text)) {
            break;
        }
        say("that compiler links libstdc++ statically, which does not work with PyTorch");
        std::error_code error;
        fs::remove_all(folder, error);
    }
    return failed("cmake", output, say);
}

// Under its name only once it is whole and runs.
Result<std::string> putInPlace(const fs::path& made, const fs::path& program) {
    const std::string parting = program.string() + ".new";
    std::error_code error;
    fs::create_directories(program.parent_path(), error);
    fs::copy_file(made, parting, fs::copy_options::overwrite_existing, error);
    if (error) {
        return fail(fmt::format("'{}': cannot be written: {}", parting, error.message()),
                    ErrorKind::Output);
    }
    const about::Component facts = about::askTorch(parting);
    if (!facts.available) {
        fs::remove(parting, error);
        return fail("the program was built but does not run: " + facts.problem, ErrorKind::Output);
    }
    fs::rename(parting, program, error);
    if (error) {
        return fail(fmt::format("'{}': cannot be written: {}", program.string(), error.message()),
                    ErrorKind::Output);
    }
    return facts.version;
}

}  // namespace

Result<std::string> torchSource() {
    if (const std::string chosen = environment("KINETOSCOPE_SOURCE"); !chosen.empty()) {
        return isSource(chosen) ? Result<std::string>(chosen)
                                : fail(fmt::format("'{}': holds no sources of kscope-torch, though "
                                                   "KINETOSCOPE_SOURCE names it",
                                                   chosen));
    }
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* folder : {"../share/kinetoscope/source", "../../.."}) {
        if (isSource(program / folder)) {
            return fs::canonical(program / folder, error).string();
        }
    }
    return fail(
        fmt::format("no sources of kscope-torch in {}/../share/kinetoscope/source; name "
                    "their folder, or a checkout, in KINETOSCOPE_SOURCE",
                    program.string()));
}

Result<std::string> buildTorch(const TorchBuild& build, const Say& say) {
    if (findProgram("cmake").empty()) {
        return fail(
            "cmake is needed to compile: install cmake and g++ (Debian), or pip install "
            "cmake ninja");
    }
    const TemporaryFolder temporary;
    if (temporary.path().empty()) {
        return fail("no temporary folder could be made; TMPDIR names another place",
                    ErrorKind::Output);
    }
    const std::string folder = temporary.file("build");
    if (auto configured = configure(build, folder, say); !configured) {
        return tl::unexpected(configured.error());
    }
    auto ran = outputOf({"cmake", "--build", folder, "--target", "kscope-torch", "--parallel",
                         std::to_string(build.jobs)},
                        kBuildPatienceSeconds, say);
    if (!ran) {
        return tl::unexpected(ran.error());
    }
    if (!ran->good) {
        return failed("compiling", *ran, say);
    }
    return putInPlace(fs::path(folder) / "bin/kscope-torch", build.program);
}

}  // namespace kinetoscope::setup
