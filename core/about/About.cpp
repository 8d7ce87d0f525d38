// SPDX-License-Identifier: Apache-2.0
#include "core/about/About.h"

#include <commit.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cstdlib>

#include "core/bench/run/CudaApi.h"
#include "core/bench/workers/TorchWorker.h"
#include "core/capture/CuptiApi.h"
#include "core/json/Json.h"
#include "core/text/Printable.h"
#ifdef KINETOSCOPE_HAS_ISAL
#include <isa-l.h>
#endif

namespace kinetoscope::about {

namespace {

constexpr double kTorchSeconds = 30.0;

// 13020 is CUDA 13.2.
std::string cudaVersion(int number) {
    return fmt::format("CUDA {}.{}", number / 1000, number % 1000 / 10);
}

std::string pathOf(const void* symbol) {
    Dl_info info{};
    return ::dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

Component driver() {
    Component found{
        "NVIDIA driver", false, {}, {}, "benches; recordings use the program's own", {}};
    const auto opened = bench::run::cuda::openDriver();
    if (!opened) {
        found.problem = opened.error().message;
        return found;
    }
    int number = 0;
    int gpus = 0;
    (void)(*opened)->cuDriverGetVersion(&number);
    (void)(*opened)->cuDeviceGetCount(&gpus);
    found.available = gpus > 0;
    found.version = cudaVersion(number);
    found.path = pathOf(reinterpret_cast<const void*>((*opened)->cuInit));
    found.problem = gpus > 0 ? "" : "it finds no GPU";
    return found;
}

Component cupti() {
    Component found{"CUPTI", false, {}, {}, "kscope record", {}};
    capture::CuptiApi api;
    found.available = capture::openCupti(api, found.problem);
    if (found.available) {
        found.version = fmt::format("{}", api.version);
        found.path = api.path;
        found.problem.clear();
    }
    return found;
}

Component nvrtc() {
    Component found{"NVRTC", false, {}, {}, "programs that compile kernels; Kinetoscope needs none",
                    {}};
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
        void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            continue;
        }
        using Version = int (*)(int*, int*);
        const auto version = reinterpret_cast<Version>(::dlsym(library, "nvrtcVersion"));
        int major = 0;
        int minor = 0;
        if (version != nullptr && version(&major, &minor) == 0) {
            found.available = true;
            found.version = fmt::format("{}.{}", major, minor);
            found.path = pathOf(reinterpret_cast<const void*>(version));
            return found;
        }
    }
    found.problem = "libnvrtc.so.13 and libnvrtc.so.12 cannot be opened";
    return found;
}

Component nvml() {
    Component found{
        "NVML", false, {}, {}, "clocks, power and temperature in recordings and benches", {}};
    const char* chosen = std::getenv("KINETOSCOPE_NVML");
    const char* name = chosen != nullptr ? chosen : "libnvidia-ml.so.1";
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        found.problem = fmt::format("{} cannot be opened", name);
        return found;
    }
    const auto init = reinterpret_cast<int (*)()>(::dlsym(library, "nvmlInit_v2"));
    const auto version =
        reinterpret_cast<int (*)(char*, unsigned)>(::dlsym(library, "nvmlSystemGetDriverVersion"));
    std::array<char, 96> text{};
    found.available = init != nullptr && version != nullptr && init() == 0 &&
                      version(text.data(), static_cast<unsigned>(text.size() - 1)) == 0;
    found.version = text.data();
    found.path = init == nullptr ? name : pathOf(reinterpret_cast<const void*>(init));
    found.problem = found.available ? "" : "it cannot be initialized";
    return found;
}

/// Discards all output.
class Quiet final : public bench::workers::BenchConsole {
public:
    void warn(const std::string& /*message*/) override {}
    void note(const std::string& /*line*/) override {}
    void progress(const std::string& /*what*/) override {}
    void output(std::string_view /*text*/) override {}
};

Component torch() {
    const auto program = bench::workers::torchProgram();
    Component found = program ? askTorch(*program) : askTorch({});
    if (!program) {
        found.problem = program.error().message;
    }
    return found;
}

std::vector<Component> libraries() {
    std::vector<Component> all{
        {"zlib", true, zlibVersion(), {}, "gzip files", {}},
        {"zstd", true, ZSTD_versionString(), {}, "zstd files", {}},
    };
#ifdef KINETOSCOPE_HAS_ISAL
    all.push_back(
        {"ISA-L",
         true,
         fmt::format("{}.{}.{}", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION),
         {},
         "gzip files, four times as fast as zlib",
         {}});
#else
    all.push_back(
        {"ISA-L", false, {}, {}, "gzip files, four times as fast as zlib", "built without it"});
#endif
    return all;
}

std::string compilerName() {
#if defined(__clang__)
    return fmt::format("Clang {}", __clang_version__);
#else
    return fmt::format("GCC {}", __VERSION__);
#endif
}

}  // namespace

Component askTorch(const std::string& program) {
    Component found{"kscope-torch", false, {}, program, "bench of operators and modules", {}};
    if (program.empty()) {
        return found;
    }
    bench::workers::TorchFacts facts;
    Quiet console;
    // It reports itself before it finds that there is nothing to do.
    const auto ending =
        bench::workers::runTorchWorker({program}, {{"task", "about"}}, kTorchSeconds, facts,
                                       console, [](const auto&, const auto&) {});
    found.available = !facts.version.empty();
    if (found.available) {
        found.version = fmt::format("PyTorch {} on {}", facts.version,
                                    facts.gpu.name.empty() ? facts.device : facts.gpu.name);
    } else {
        found.problem = !ending                    ? ending.error().message
                        : !ending->failure.empty() ? ending->failure
                                                   : ending->sentence;
    }
    return found;
}

std::string versionText(const std::string& program, const std::string& version) {
    const std::string_view commit = kCommit;
    return fmt::format("{} {}\ncommit {}\nbuilt by {}\noptions {}", program, version,
                       commit.empty() ? "unknown" : commit, compilerName(),
                       KINETOSCOPE_BUILD_OPTIONS);
}

About findOut(const std::string& version) {
    About about{version, kCommit, compilerName(), {driver(), nvml(), cupti(), nvrtc(), torch()}};
    for (Component& library : libraries()) {
        about.components.push_back(std::move(library));
    }
    return about;
}

std::string aboutText(const About& about) {
    std::string text =
        fmt::format("Kinetoscope {}{}\nbuilt by {}\n\n", about.version,
                    about.commit.empty() ? "" : ", commit " + about.commit, about.compiler);
    for (const Component& one : about.components) {
        const std::string state =
            one.available ? (one.version.empty() ? "there" : one.version) : "not available";
        text += fmt::format("{:<14} {}\n", one.name, text::printable(state));
        text += fmt::format("{:<14} for {}\n", "", one.purpose);
        if (!one.problem.empty()) {
            text += fmt::format("{:<14} {}\n", "", text::printable(one.problem));
        }
        if (!one.path.empty()) {
            text += fmt::format("{:<14} {}\n", "", text::printable(one.path));
        }
    }
    return text;
}

std::string aboutJson(const About& about) {
    nlohmann::ordered_json json{
        {"version", about.version},
        {"commit",
         about.commit.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(about.commit)},
        {"compiler", about.compiler}};
    auto& all = json["components"] = nlohmann::ordered_json::array();
    for (const Component& one : about.components) {
        all.push_back({{"name", one.name},
                       {"available", one.available},
                       {"version", one.version},
                       {"path", one.path},
                       {"purpose", one.purpose},
                       {"problem", one.problem}});
    }
    return json::jsonText(json) + "\n";
}

}  // namespace kinetoscope::about
