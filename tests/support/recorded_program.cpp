// SPDX-License-Identifier: Apache-2.0
// A program to be recorded. Its arguments are steps, done one after the other:
//   launch N      N launches           range NAME / end   an NVTX range
//   open DOMAIN NAME / close DOMAIN   the same in an NVTX domain
//   sleep MS      nothing for a while  mark NAME          kinetoscope.h
//   touch FILE    makes FILE           await FILE         goes on once FILE is there
//   recorded      goes on once somebody records at level 3; unrecorded: once nobody does
//   captured N    goes on once this process's capture has N bytes
//   fork N        a child launches N, ends by exit, and is waited for
//   exec ...      a child runs this program with the remaining steps
//   start, stop   kinetoscope.h        exit N, kill       the end
//   profile N     another user of CUPTI takes over, N launches are its own; then it ends
//   xla N         the same, as XLA does it: by functions that it looks up
//   proton        Triton's Proton opens its CUPTI
//   count         says what the callbacks of the recorder allocated and locked
//   own FILE A B  closes all descriptors from A on and opens FILE under the numbers A to B
//   wide N        a launch of a kernel whose name has N characters
// RECORDED_FAILS makes the recorder's own calls fail: "threads", "3" its third allocation, "3+"
// that and all after it.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <type_traits>

#include "core/capture/CuptiAbi.h"
#include "core/capture/kinetoscope.h"
#include "tests/support/fake_cuda.h"

// Bound through this program's own imports, as libtorch binds them.
extern "C" {
kinetoscope::capture::cupti::Result cuptiActivityRegisterCallbacks(
    kinetoscope::capture::cupti::RequestBuffer request,
    kinetoscope::capture::cupti::CompleteBuffer complete);
kinetoscope::capture::cupti::Result cuptiActivityEnable(kinetoscope::capture::cupti::Kind kind);
kinetoscope::capture::cupti::Result cuptiActivityDisable(kinetoscope::capture::cupti::Kind kind);
kinetoscope::capture::cupti::Result cuptiActivityFlushAll(std::uint32_t flag);
const char* fakeProtonCupti();
void* fakeXlaLookUp(void* library, const char* name);
}

namespace {

constexpr const char* kKernel = "_Z9addKernelPfS_i";

// Counting what happens inside of the recorder's callbacks.
std::atomic<bool* (*)()> insideFlag{nullptr};
std::atomic<long> allocations{0};
std::atomic<long> locks{0};

[[maybe_unused]] bool isForked = false;

[[maybe_unused]] bool inside() {
    const auto flag = insideFlag.load();
    return flag != nullptr && *flag();
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__)
// A forked child has the locks of the allocator as the threads of its parent held them: the search
// for leaks at its end would wait for ever for one of them.
extern "C" int __lsan_is_turned_off();  // NOLINT(bugprone-reserved-identifier)
extern "C" int __lsan_is_turned_off() {
    return isForked ? 1 : 0;
}
#endif

namespace {

const char* wantedFailure() {
    static const char* const wanted = std::getenv("RECORDED_FAILS");
    return wanted;
}

[[maybe_unused]] bool isRecorder(const void* caller) {
    Dl_info info{};
    return ::dladdr(caller, &info) != 0 && info.dli_fname != nullptr &&
           std::strstr(info.dli_fname, "kinetoscope-inject") != nullptr;
}

[[maybe_unused]] bool allocationFails(const void* caller) {
    static std::atomic<long> count{0};
    const char* wanted = wantedFailure();
    if (wanted == nullptr || !isRecorder(caller)) {
        return false;
    }
    char* end = nullptr;
    const long number = std::strtol(wanted, &end, 10);
    const long now = ++count;
    return number > 0 && (now == number || (*end == '+' && now > number));
}

}  // namespace

// Sanitizers replace these functions themselves; nothing is counted then.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
    if (inside()) {
        ++allocations;
    }
    if (allocationFails(__builtin_return_address(0))) {
        return nullptr;
    }
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    if (inside()) {
        ++allocations;
    }
    if (allocationFails(__builtin_return_address(0))) {
        return nullptr;
    }
    return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
    if (inside()) {
        ++allocations;
    }
    if (allocationFails(__builtin_return_address(0))) {
        return nullptr;
    }
    return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    if (allocationFails(__builtin_return_address(0))) {
        return nullptr;
    }
    return __libc_memalign(alignment, size);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                   void* argument) noexcept {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    const char* wanted = wantedFailure();
    if (wanted != nullptr && std::strcmp(wanted, "threads") == 0 &&
        isRecorder(__builtin_return_address(0))) {
        return EAGAIN;
    }
    return create(thread, attributes, routine, argument);
}
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    using Lock = int (*)(pthread_mutex_t*);
    static const auto lock = reinterpret_cast<Lock>(::dlsym(RTLD_NEXT, "pthread_mutex_lock"));
    if (inside()) {
        ++locks;
    }
    return lock(mutex);
}
}
#endif

namespace {

void* cupti() {
    return ::dlopen(std::getenv("KINETOSCOPE_CUPTI"), RTLD_NOW | RTLD_NOLOAD);
}

void launch(int count) {
    for (int i = 0; i < count; ++i) {
        fakeLaunch(kKernel, 7);
    }
}

// As NVTX's headers do it before the first range.
using Function = void (*)();
Function pushFunction = nullptr;
Function popFunction = nullptr;
Function domainPushFunction = nullptr;
Function domainPopFunction = nullptr;
Function* coreTable[16] = {};
Function* core2Table[16] = {};

int moduleFunctions(int module, Function*** table, unsigned* size) {
    *table = module == 1 ? coreTable : core2Table;
    *size = 16;
    return module == 1 || module == 5 ? 1 : 0;
}

const void* exportTable(std::uint32_t table) {
    static const struct {
        std::size_t size;
        int (*functions)(int, Function***, unsigned*);
    } callbacks{sizeof callbacks, moduleFunctions};
    return table == 1 ? &callbacks : nullptr;
}

void attachNvtx() {
    const char* path = std::getenv("NVTX_INJECTION64_PATH");
    coreTable[9] = &pushFunction;
    coreTable[11] = &popFunction;
    core2Table[4] = &domainPushFunction;
    core2Table[5] = &domainPopFunction;
    void* library = path == nullptr ? nullptr : ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) {
        using Attach = int (*)(const void* (*)(std::uint32_t));
        reinterpret_cast<Attach>(::dlsym(library, "InitializeInjectionNvtx2"))(exportTable);
    }
}

void push(const char* name) {
    if (pushFunction != nullptr) {
        reinterpret_cast<int (*)(const char*)>(pushFunction)(name);
    }
}

void pop() {
    if (popFunction != nullptr) {
        reinterpret_cast<int (*)()>(popFunction)();
    }
}

// nvtxEventAttributes_t with a name.
struct RangeName {
    std::uint16_t version = 3;
    std::uint16_t size = 48;
    std::uint32_t other[7] = {};
    std::int32_t messageType = 1;
    std::int32_t padding = 0;
    const char* message;
};

// Domains are told apart by their handles alone.
void* domainOf(const char* name) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(name[0]));
}

void pushIn(const char* domain, const char* name) {
    const RangeName attributes{.message = name};
    if (domainPushFunction != nullptr) {
        reinterpret_cast<int (*)(void*, const RangeName*)>(domainPushFunction)(domainOf(domain),
                                                                               &attributes);
    }
}

void popIn(const char* domain) {
    if (domainPopFunction != nullptr) {
        reinterpret_cast<int (*)(void*)>(domainPopFunction)(domainOf(domain));
    }
}

void forkAndLaunch(int count) {
    const pid_t child = ::fork();
    if (child == 0) {
        isForked = true;
        launch(count);
        std::exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    if (status != 0) {
        std::exit(90);
    }
}

void runChild(char** arguments) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::execv("/proc/self/exe", arguments);
        ::_exit(91);
    }
    ::waitpid(child, nullptr, 0);
}

// Another profiler: its own callbacks, and a complaint about buffers that are not its own.
std::uint8_t othersBuffer[1 << 20];
long othersBytes = 0;
bool foreignBuffer = false;

void othersRequest(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *buffer = othersBuffer;
    *size = sizeof othersBuffer;
    *records = 0;
}

void othersComplete(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    foreignBuffer |= buffer != othersBuffer;
    othersBytes += static_cast<long>(valid);
}

struct OthersCupti {
    decltype(&cuptiActivityRegisterCallbacks) registerCallbacks = cuptiActivityRegisterCallbacks;
    decltype(&cuptiActivityEnable) enable = cuptiActivityEnable;
    decltype(&cuptiActivityDisable) disable = cuptiActivityDisable;
    decltype(&cuptiActivityFlushAll) flushAll = cuptiActivityFlushAll;
};

OthersCupti lookedUpCupti() {
    OthersCupti found;
    const auto lookUp = [](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(fakeXlaLookUp(cupti(), name));
    };
    lookUp(found.registerCallbacks, "cuptiActivityRegisterCallbacks");
    lookUp(found.enable, "cuptiActivityEnable");
    lookUp(found.disable, "cuptiActivityDisable");
    lookUp(found.flushAll, "cuptiActivityFlushAll");
    return found;
}

void profile(int count, const OthersCupti& api) {
    using namespace kinetoscope::capture::cupti;
    if (cupti() == nullptr) {
        return;
    }
    api.registerCallbacks(othersRequest, othersComplete);
    api.enable(Kind::ConcurrentKernel);
    launch(count);
    api.disable(Kind::ConcurrentKernel);
    api.flushAll(1);
    std::printf("others bytes %ld foreign %d\n", othersBytes, foreignBuffer ? 1 : 0);
}

void awaitEnabled(int wanted) {
    const auto isEnabled = reinterpret_cast<int (*)()>(::dlsym(cupti(), "fakeCuptiIsEnabled"));
    while (isEnabled() != wanted) {
        ::usleep(1000);
    }
}

void awaitCapture(int bytes) {
    namespace fs = std::filesystem;
    const std::string own = "." + std::to_string(::getpid()) + ".";
    for (;; ::usleep(1000)) {
        for (const auto& file : fs::directory_iterator(std::getenv("KINETOSCOPE_FOLDER"))) {
            const std::string name = file.path().filename();
            if (name.find(own) != std::string::npos &&
                fs::file_size(file.path()) >= static_cast<std::uintmax_t>(bytes)) {
                return;
            }
        }
    }
}

// As daemons do it: whatever is open goes, and the numbers are the program's own.
void ownDescriptors(const char* path, int first, int last) {
    ::syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U);
    const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int number = first; number <= last; ++number) {
        if (number != file) {
            ::dup2(file, number);
        }
    }
    const ssize_t written = ::write(last, "mine\n", 5);
    static_cast<void>(written);
}

void launchWide(int characters) {
    // A launch keeps the pointer.
    fakeLaunch(::strdup(std::string(static_cast<std::size_t>(characters), 'w').c_str()), 7);
}

}  // namespace

int main(int count, char** arguments) {
    attachNvtx();
    cuInit(0);
    for (int i = 1; i < count; ++i) {
        const std::string step = arguments[i];
        const char* value = i + 1 < count ? arguments[i + 1] : "0";
        int number = std::atoi(value);
        if (step == "launch") {
            launch(number), ++i;
        } else if (step == "copy") {
            for (++i; number > 0; --number) {
                fakeCopy(7);
            }
        } else if (step == "sleep") {
            ::usleep(static_cast<unsigned>(number) * 1000), ++i;
        } else if (step == "touch") {
            std::fclose(std::fopen(value, "w")), ++i;
        } else if (step == "await") {
            for (++i; ::access(value, F_OK) != 0;) {
                ::usleep(1000);
            }
        } else if (step == "recorded" || step == "unrecorded") {
            awaitEnabled(step == "recorded" ? 2 : 0);
        } else if (step == "captured") {
            awaitCapture(number), ++i;
        } else if (step == "range") {
            push(value), ++i;
        } else if (step == "end") {
            pop();
        } else if (step == "open" && i + 2 < count) {
            pushIn(value, arguments[i + 2]), i += 2;
        } else if (step == "close") {
            popIn(value), ++i;
        } else if (step == "mark") {
            kinetoscope_mark(value), ++i;
        } else if (step == "own" && i + 3 < count) {
            ownDescriptors(value, std::atoi(arguments[i + 2]), std::atoi(arguments[i + 3]));
            i += 3;
        } else if (step == "wide") {
            launchWide(number), ++i;
        } else if (step == "start") {
            kinetoscope_start();
        } else if (step == "stop") {
            kinetoscope_stop();
        } else if (step == "fork") {
            forkAndLaunch(number), ++i;
        } else if (step == "exec") {
            runChild(arguments + i);
            break;
        } else if (step == "profile") {
            profile(number, {}), ++i;
        } else if (step == "xla") {
            profile(number, lookedUpCupti()), ++i;
        } else if (step == "proton") {
            std::printf("proton uses %s\n", fakeProtonCupti());
        } else if (step == "watch") {
            insideFlag = reinterpret_cast<bool* (*)()>(::dlsym(cupti(), "fakeCuptiInsideFlag"));
        } else if (step == "count") {
            const auto callbacks =
                static_cast<unsigned long*>(::dlsym(cupti(), "fakeCuptiCallbacks"));
            std::printf("callbacks %lu allocations %ld locks %ld\n", *callbacks, allocations.load(),
                        locks.load());
        } else if (step == "exit") {
            return number;
        } else if (step == "kill") {
            ::kill(::getpid(), SIGKILL);
        }
    }
    return 0;
}
