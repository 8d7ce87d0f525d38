// SPDX-License-Identifier: Apache-2.0
#include "core/setup/Doctor.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include "core/base/UserFolders.h"
#include "core/capture/RecordRun.h"
#include "core/setup/ProgramOutput.h"
#include "core/setup/PythonTorch.h"

namespace kinetoscope::setup {

using about::Component;

namespace {

constexpr double kWindowSeconds = 30.0;

// The number in front of the first dot behind the last blank: 13 of "CUDA 13.0".
int majorVersion(const std::string& version) {
    const std::size_t blank = version.rfind(' ');
    return std::atoi(version.c_str() + (blank == std::string::npos ? 0 : blank + 1));
}

Check driver(const Component& found, const Places& places) {
    Check check{found, {}};
    const bool inKernel = !readSystemFile(places.root + "/proc/driver/nvidia/version").empty();
    if (found.available) {
        return check;
    }
    if (!found.version.empty()) {
        check.remedy =
            "make a GPU visible: nvidia-smi -L lists them; look at CUDA_VISIBLE_DEVICES, "
            "and at --gpus of a container";
    } else if (found.problem.find("cannot be opened") == std::string::npos) {
        check.remedy = "install a driver of CUDA 12 or later, and restart the machine after it";
    } else if (inKernel) {
        check.remedy =
            "the kernel has the driver, but its library is not here: start the container "
            "with --gpus all (NVIDIA Container Toolkit), or install libcuda1";
    } else {
        check.remedy = "on a machine with an NVIDIA GPU install its driver (Debian: nvidia-driver)";
    }
    return check;
}

Check nvml(const Component& found) {
    return {found, found.available ? "" : "it comes with NVIDIA's driver (Debian: libnvidia-ml1)"};
}

Check cupti(Component found, const Component& driver, const std::optional<PythonTorch>& python) {
    if (!found.available && python && !python->cupti.empty()) {
        // A recording takes the copy of the program that it is in.
        found = {found.name, true, "PyTorch's own", python->cupti, found.purpose, {}};
    }
    Check check{found, {}};
    constexpr int kPerMajor = 10000;  // 130001 belongs to CUDA 13
    const int major = std::atoi(found.version.c_str()) / kPerMajor;
    const int driverMajor = driver.version.empty() ? 0 : majorVersion(driver.version);
    if (!found.available) {
        check.remedy =
            "install it (NVIDIA: cuda-cupti-13-0; PyPI: nvidia-cuda-cupti-cu12 or "
            "nvidia-cuda-cupti), or name the library in KINETOSCOPE_CUPTI";
    } else if (driverMajor > 0 && major > driverMajor) {
        check.remedy = fmt::format(
            "CUPTI of CUDA {} cannot record on a driver of CUDA {}: install "
            "that of CUDA {}, or a newer driver",
            major, driverMajor, driverMajor);
    }
    return check;
}

Check nvrtc(const Component& found) {
    return {found, found.available ? "" : "nothing, unless such a program says so (cuda-nvrtc)"};
}

Check recorder() {
    Check check{{"recorder", false, {}, {}, "kscope record", {}}, {}};
    const auto library = capture::findInjectLibrary();
    if (library && std::filesystem::exists(*library)) {
        check.part.available = true;
        check.part.path = *library;
    } else {
        check.part.problem = library ? "there is no " + *library : library.error().message;
        check.remedy = "install Kinetoscope again, or correct KINETOSCOPE_INJECT";
    }
    return check;
}

Check counters(const Component& driver, const Places& places) {
    Check check{{"counters", false, {}, {}, "kscope record --counters", {}}, {}};
    const std::string parameters = readSystemFile(places.root + "/proc/driver/nvidia/params");
    const bool forAdministrators = parameters.find("RmProfilingAdminOnly: 1") != std::string::npos;
    if (parameters.empty()) {
        check.part.problem = driver.available ? "the driver does not say who may read them"
                                              : "there is no driver that has any";
        check.remedy = driver.available ? "try kscope record --counters dram" : "see NVIDIA driver";
    } else if (!forAdministrators || isAdministrator(places)) {
        check.part.available = true;
        check.part.version = forAdministrators ? "permitted to this user, an administrator"
                                               : "permitted to everybody";
    } else {
        check.part.problem = "the driver keeps them for administrators";
        check.remedy =
            "put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into "
            "/etc/modprobe.d/kinetoscope.conf and restart, or record as root (a "
            "container needs --cap-add SYS_ADMIN)";
    }
    return check;
}

Check pytorch(const Result<PythonTorch>& found, const Places& places) {
    Check check{{"PyTorch", false, {}, {}, "recording and comparing its programs", {}}, {}};
    if (!found) {
        check.part.problem = found.error().message;
        check.remedy = "install Python, or name yours: kscope doctor --python PATH";
    } else if (found->folder.empty()) {
        check.part.problem =
            fmt::format("Python {} ({}) has none", found->pythonVersion, found->python);
        check.remedy = fmt::format("{} -m pip install torch, or name another Python with --python",
                                   places.python);
    } else {
        check.part.available = true;
        check.part.version = fmt::format(
            "{}{} of Python {}", found->version.empty() ? "unknown version" : found->version,
            found->cuda.empty() ? " without CUDA" : " for CUDA " + found->cuda,
            found->pythonVersion);
        check.part.path = found->folder;
    }
    return check;
}

// "2.11" of "2.11.0+cu130".
std::string minorVersion(const std::string& version) {
    const std::size_t dot = version.find('.');
    return dot == std::string::npos ? version : version.substr(0, version.find('.', dot + 1));
}

Check kscopeTorch(const Component& found, const std::optional<PythonTorch>& python,
                  const Places& places) {
    const std::string build =
        "kscope torch build" + (places.python == "python3" ? "" : " --python " + places.python);
    Check check{found, found.available ? "" : build};
    if (found.available && python && !python->version.empty() &&
        found.version.find("PyTorch " + minorVersion(python->version) + ".") == std::string::npos) {
        check.part.problem = fmt::format("that is another PyTorch than the {} of {}",
                                         python->version, python->python);
        check.remedy = build + " makes one for it";
    }
    return check;
}

Check window(const Places& places) {
    Check check{{"window and Qt", false, {}, windowProgram(places), "kinetoscope", {}}, {}};
    if (check.part.path.empty()) {
        check.part.problem = "there is no kinetoscope next to kscope or in PATH";
        check.remedy = "install the package kinetoscope, or build it where qt6-base-dev is";
        return check;
    }
    const auto output = outputOf({check.part.path, "--version"}, kWindowSeconds);
    const std::string text = output ? output->text : output.error().message;
    if (output && output->good) {
        const std::size_t qt = text.find("Qt ");
        check.part.available = true;
        check.part.version = text.substr(0, text.find('\n'));
        check.part.version +=
            qt == std::string::npos ? "" : ", " + text.substr(qt, text.find('\n', qt) - qt);
        return check;
    }
    check.part.problem = text.substr(0, text.find('\n'));
    check.remedy =
        "install what it names (Debian 12: libqt6widgets6 libqt6svg6 "
        "libqt6printsupport6 libqcustomplot2.1-qt6), or the package kinetoscope, which "
        "brings it";
    return check;
}

Check display() {
    Check check{{"display", false, {}, {}, "the window", {}}, {}};
    for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"}) {
        if (const std::string value = environment(name); !value.empty()) {
            check.part.available = true;
            check.part.version = fmt::format("{}={}", name, value);
            return check;
        }
    }
    check.part.problem = "neither DISPLAY nor WAYLAND_DISPLAY is set";
    check.remedy = "log in with ssh -X, or take pictures: kinetoscope --screenshot out.png FILE";
    return check;
}

Check fonts(const Places& places) {
    Check check{{"fonts", false, {}, findFont(places), "the window's texts and pictures", {}}, {}};
    check.part.available = !check.part.path.empty();
    if (!check.part.available) {
        check.part.problem = "no font was found";
        check.remedy = "install one (Debian: fonts-dejavu-core)";
    }
    return check;
}

}  // namespace

std::string Check::state() const {
    return !part.available ? "missing" : remedy.empty() ? "good" : "look";
}

std::vector<Check> diagnose(const Places& places) {
    std::map<std::string, Component> parts;
    for (Component& part : about::findOut({}).components) {
        const std::string name = part.name;
        parts[name] = std::move(part);
    }
    const auto found = findPythonTorch(places.python);
    const auto python = found ? std::optional(*found) : std::nullopt;
    const Component& gpu = parts["NVIDIA driver"];
    return {driver(gpu, places),
            nvml(parts["NVML"]),
            cupti(parts["CUPTI"], gpu, python),
            nvrtc(parts["NVRTC"]),
            recorder(),
            counters(gpu, places),
            pytorch(found, places),
            kscopeTorch(parts["kscope-torch"], python, places),
            window(places),
            display(),
            fonts(places)};
}

}  // namespace kinetoscope::setup
