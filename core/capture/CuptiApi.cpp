// SPDX-License-Identifier: Apache-2.0
#include "core/capture/CuptiApi.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

#include "core/capture/Symbols.h"

namespace kinetoscope::capture {

namespace {

constexpr int kNewestMajor = 13;
constexpr int kOldestMajor = 12;

std::string_view fileName(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string folder(std::string_view path) {
    return std::string(path.substr(0, path.size() - fileName(path).size()));
}

struct Libraries {
    std::vector<std::string> paths;
    bool complete = true;
};

// No exception may pass through the loader, which calls this.
int addLibrary(dl_phdr_info* info, std::size_t, void* data) noexcept {
    auto& libraries = *static_cast<Libraries*>(data);
    try {
        if (info->dlpi_name != nullptr && *info->dlpi_name != '\0') {
            libraries.paths.emplace_back(info->dlpi_name);
        }
    } catch (const std::bad_alloc&) {
        libraries.complete = false;
    }
    return libraries.complete ? 0 : 1;
}

const std::string* named(const std::vector<std::string>& libraries, std::string_view begin) {
    const auto found = std::ranges::find_if(
        libraries, [&](const std::string& path) { return fileName(path).starts_with(begin); });
    return found == libraries.end() ? nullptr : &*found;
}

// The number behind "libcudart.so."; 0 without one.
int majorOf(const std::string& path, std::string_view begin) {
    return std::atoi(std::string(fileName(path).substr(begin.size())).c_str());
}

// Majors to try: the runtime library's, else the driver's, then older ones.
std::vector<int> majors(const std::vector<std::string>& libraries) {
    constexpr std::string_view kRuntime = "libcudart.so.";
    const int driver = cudaDriverVersion() / 1000;
    const int newest = driver == 0 ? kNewestMajor : std::clamp(driver, kOldestMajor, kNewestMajor);
    std::vector<int> result;
    if (const std::string* runtime = named(libraries, kRuntime)) {
        result.push_back(majorOf(*runtime, kRuntime));
    }
    for (int major = newest; major >= kOldestMajor; --major) {
        result.push_back(major);
    }
    return result;
}

std::vector<std::string> folders(const std::vector<std::string>& libraries, int major) {
    std::vector<std::string> result{""};  // the loader's own search
    if (const std::string* runtime = named(libraries, "libcudart.so.")) {
        const std::string own = folder(*runtime);
        // Toolkits have it beside the runtime or in extras, Python packages in one of their own.
        result.push_back(own);
        result.push_back(own + "../extras/CUPTI/lib64/");
        result.push_back(own + "../../cuda_cupti/lib/");
    }
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* home = std::getenv(variable)) {
            result.push_back(std::string(home) + "/lib64/");
            result.push_back(std::string(home) + "/extras/CUPTI/lib64/");
        }
    }
    for (const std::string& home :
         {"/usr/local/cuda-" + std::to_string(major), std::string("/usr/local/cuda")}) {
        result.push_back(home + "/lib64/");
        result.push_back(home + "/extras/CUPTI/lib64/");
    }
    return result;
}

void* openByMajor(const std::vector<std::string>& libraries, std::string& path) {
    for (const int major : majors(libraries)) {
        const std::string name = "libcupti.so." + std::to_string(major);
        for (const std::string& where : folders(libraries, major)) {
            path = where + name;
            if (void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
                return handle;
            }
        }
    }
    return nullptr;
}

bool findAll(void* handle, CuptiApi& api) {
    find(handle, "cuptiSubscribe_v2", api.subscribeNamed);
    find(handle, "cuptiActivityEnableRuntimeApi", api.enableRuntimeCall);
    find(handle, "cuptiActivityEnableDriverApi", api.enableDriverCall);
    find(handle, "cuptiActivityEnableCudaEventDeviceTimestamps", api.enableEventTimes);
    return find(handle, "cuptiGetVersion", api.getVersion) &&
           find(handle, "cuptiSubscribe", api.subscribe) &&
           find(handle, "cuptiUnsubscribe", api.unsubscribe) &&
           find(handle, "cuptiActivityEnable", api.enable) &&
           find(handle, "cuptiActivityDisable", api.disable) &&
           find(handle, "cuptiActivityRegisterCallbacks", api.registerCallbacks) &&
           find(handle, "cuptiActivityRegisterTimestampCallback", api.registerTimestamp) &&
           find(handle, "cuptiActivityFlushAll", api.flushAll) &&
           find(handle, "cuptiActivityGetNextRecord", api.nextRecord) &&
           find(handle, "cuptiActivityGetNumDroppedRecords", api.droppedRecords) &&
           find(handle, "cuptiActivitySetAttribute", api.setAttribute) &&
           find(handle, "cuptiSetThreadIdType", api.setThreadIdType) &&
           find(handle, "cuptiGetCallbackName", api.callbackName) &&
           find(handle, "cuptiGetResultString", api.resultString) &&
           find(handle, "cuptiActivityPushExternalCorrelationId", api.pushExternalId) &&
           find(handle, "cuptiActivityPopExternalCorrelationId", api.popExternalId);
}

}  // namespace

std::vector<std::string> loadedLibraries() {
    Libraries libraries;
    ::dl_iterate_phdr(addLibrary, &libraries);
    if (!libraries.complete) {
        throw std::bad_alloc();
    }
    return std::move(libraries.paths);
}

int cudaDriverVersion() {
    using GetVersion = int (*)(int*);
    void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    const auto getVersion =
        driver == nullptr ? nullptr
                          : reinterpret_cast<GetVersion>(::dlsym(driver, "cuDriverGetVersion"));
    int version = 0;
    return getVersion != nullptr && getVersion(&version) == 0 ? version : 0;
}

std::string CuptiApi::errorText(cupti::Result result) const {
    const char* text = nullptr;
    if (resultString != nullptr && resultString(result, &text) == cupti::kSuccess &&
        text != nullptr) {
        return text;
    }
    return "CUPTI error " + std::to_string(result);
}

bool openCupti(CuptiApi& api, std::string& problem) {
    const auto libraries = loadedLibraries();
    void* handle = nullptr;
    if (const char* chosen = std::getenv("KINETOSCOPE_CUPTI")) {
        api.path = chosen;
        handle = ::dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    } else if (const std::string* loaded = named(libraries, "libcupti.so")) {
        api.path = *loaded;
        handle = ::dlopen(loaded->c_str(), RTLD_NOW | RTLD_NOLOAD);
    } else {
        handle = openByMajor(libraries, api.path);
    }
    if (handle == nullptr) {
        const int major = majors(libraries).front();
        problem = "no libcupti.so." + std::to_string(major) + " was found; install CUPTI of CUDA " +
                  std::to_string(major) + " or name the library in KINETOSCOPE_CUPTI";
        return false;
    }
    if (!findAll(handle, api)) {
        problem = api.path + " lacks functions of CUPTI 12; name another in KINETOSCOPE_CUPTI";
        return false;
    }
    if (api.getVersion(&api.version) != cupti::kSuccess || api.version < cupti::kOldestVersion) {
        problem = api.path + " is older than CUDA 12.0; name a newer one in KINETOSCOPE_CUPTI";
        return false;
    }
    return true;
}

}  // namespace kinetoscope::capture
