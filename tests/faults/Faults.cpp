// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/Faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace kinetoscope::faults {

namespace {

constexpr std::size_t kNever = ~std::size_t{0};

// Constant-initialised: calls come before any constructor.
std::atomic<int> armedCall{-1};
std::atomic<std::size_t> firstFailing{kNever};
std::atomic<std::size_t> lastFailing{0};
std::atomic<std::size_t> calls{0};
std::atomic<std::size_t> failures{0};

}  // namespace

void failAt(Call call, std::size_t nth, bool andAllLater) {
    armedCall = -1;
    calls = 0;
    failures = 0;
    firstFailing = nth;
    lastFailing = andAllLater ? kNever : nth;
    armedCall = static_cast<int>(call);
}

std::size_t disarm() {
    armedCall = -1;
    return failures;
}

}  // namespace kinetoscope::faults

// Sanitizers have functions of their own in these places: nothing fails under them.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// glibc's own, beneath the names that are replaced here.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* old, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace kinetoscope::faults {

namespace {

std::atomic<std::size_t> leastBytes{0};
const char* markPath = nullptr;

// By system calls alone, which nobody counts.
void mark() {
    if (markPath == nullptr) {
        return;
    }
    const auto file = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, markPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (file >= 0) {
        syscall(SYS_write, file, "x", std::size_t{1});
        syscall(SYS_close, file);
    }
}

std::array<char, 4096> stackPath{};

// Beside the mark, the stack that led to the end, for sweep.py.
void tellStack(int signal) {
    armedCall = -1;
    std::array<void*, 96> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    const auto file = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, stackPath.data(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (file >= 0) {
        ::backtrace_symbols_fd(frames.data(), count, file);
        syscall(SYS_close, file);
    }
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

void tellStackOfAborts() {
    std::snprintf(stackPath.data(), stackPath.size(), "%s.stack", markPath);
    void* here = nullptr;
    ::backtrace(&here, 1);  // loads its library now, while memory can be had
    std::signal(SIGABRT, tellStack);
}

bool fails(Call call, int code) {
    if (armedCall.load(std::memory_order_relaxed) != static_cast<int>(call)) {
        return false;
    }
    const std::size_t number = ++calls;
    if (number < firstFailing || number > lastFailing) {
        return false;
    }
    ++failures;
    mark();
    errno = code;
    return true;
}

bool allocationFails(std::size_t bytes) {
    return bytes >= leastBytes.load(std::memory_order_relaxed) && fails(Call::Allocate, ENOMEM);
}

// Disks get full, pipes do not: threads that wake each other through one would wait for ever.
bool writingFails(int file) {
    struct stat known {};
    return ::fstat(file, &known) == 0 && S_ISREG(known.st_mode) && fails(Call::Write, ENOSPC);
}

// "CALL:N" or "CALL:N+"
void armBy(const char* wish) {
    const char* colon = std::strchr(wish, ':');
    for (std::size_t i = 0; colon != nullptr && i < kCallNames.size(); ++i) {
        if (std::strlen(kCallNames[i]) == static_cast<std::size_t>(colon - wish) &&
            std::strncmp(wish, kCallNames[i], static_cast<std::size_t>(colon - wish)) == 0) {
            char* end = nullptr;
            const std::size_t nth = std::strtoull(colon + 1, &end, 10);
            failAt(static_cast<Call>(i), nth, *end == '+');
            return;
        }
    }
    std::fprintf(stderr, "KINETOSCOPE_FAULT: '%s' is none\n", wish);
    std::abort();
}

void armByEnvironment() {
    const char* wish = std::getenv("KINETOSCOPE_FAULT");
    const char* program = std::getenv("KINETOSCOPE_FAULT_PROGRAM");
    if (wish == nullptr ||
        (program != nullptr && std::strcmp(program, program_invocation_short_name) != 0)) {
        return;
    }
    markPath = std::getenv("KINETOSCOPE_FAULT_MARK");
    if (markPath != nullptr) {
        tellStackOfAborts();
    }
    if (const char* bytes = std::getenv("KINETOSCOPE_FAULT_BYTES")) {
        leastBytes = std::strtoull(bytes, nullptr, 10);
    }
    armBy(wish);
}

using Main = int (*)(int, char**, char**);
Main programsMain = nullptr;

int armedMain(int count, char** words, char** environment) {
    armByEnvironment();
    return programsMain(count, words, environment);
}

// The function that this one stands in front of.
template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

}  // namespace kinetoscope::faults

using kinetoscope::faults::Call;
using kinetoscope::faults::fails;

// Defines a function of the system's name that fails with `result` where `condition` holds, and
// else calls the one behind it.
#define KINETOSCOPE_FAULTY(type, name, parameters, values, condition, result)          \
    extern "C" type name parameters {                                                  \
        static const auto real = kinetoscope::faults::next<type(*) parameters>(#name); \
        return (condition) ? (result) : real values;                                   \
    }

// Opening takes its mode only where a file may be made.
#define KINETOSCOPE_FAULTY_OPEN(name, parameters, ...)                                \
    extern "C" int name parameters {                                                  \
        mode_t mode = 0;                                                              \
        if ((flags & (O_CREAT | O_TMPFILE)) != 0) {                                   \
            va_list rest;                                                             \
            va_start(rest, flags);                                                    \
            mode = va_arg(rest, mode_t);                                              \
            va_end(rest);                                                             \
        }                                                                             \
        static const auto real = kinetoscope::faults::next<int(*) parameters>(#name); \
        return fails(Call::Open, EMFILE) ? -1 : real(__VA_ARGS__, mode);              \
    }

KINETOSCOPE_FAULTY(ssize_t, read, (int file, void* to, std::size_t bytes), (file, to, bytes),
                   fails(Call::Read, EIO), -1)
KINETOSCOPE_FAULTY(ssize_t, pread, (int file, void* to, std::size_t bytes, off_t at),
                   (file, to, bytes, at), fails(Call::Read, EIO), -1)
KINETOSCOPE_FAULTY(ssize_t, pread64, (int file, void* to, std::size_t bytes, off64_t at),
                   (file, to, bytes, at), fails(Call::Read, EIO), -1)
KINETOSCOPE_FAULTY(ssize_t, readv, (int file, const iovec* parts, int count), (file, parts, count),
                   fails(Call::Read, EIO), -1)
KINETOSCOPE_FAULTY(dirent*, readdir, (DIR * folder), (folder), fails(Call::Read, EIO), nullptr)
KINETOSCOPE_FAULTY(dirent64*, readdir64, (DIR * folder), (folder), fails(Call::Read, EIO), nullptr)

KINETOSCOPE_FAULTY(void*, mmap,
                   (void* at, std::size_t bytes, int rights, int flags, int file, off_t from),
                   (at, bytes, rights, flags, file, from), fails(Call::Map, ENOMEM), MAP_FAILED)
KINETOSCOPE_FAULTY(void*, mmap64,
                   (void* at, std::size_t bytes, int rights, int flags, int file, off64_t from),
                   (at, bytes, rights, flags, file, from), fails(Call::Map, ENOMEM), MAP_FAILED)

KINETOSCOPE_FAULTY(ssize_t, write, (int file, const void* from, std::size_t bytes),
                   (file, from, bytes), kinetoscope::faults::writingFails(file), -1)
KINETOSCOPE_FAULTY(ssize_t, pwrite, (int file, const void* from, std::size_t bytes, off_t at),
                   (file, from, bytes, at), kinetoscope::faults::writingFails(file), -1)
KINETOSCOPE_FAULTY(ssize_t, pwrite64, (int file, const void* from, std::size_t bytes, off64_t at),
                   (file, from, bytes, at), kinetoscope::faults::writingFails(file), -1)
KINETOSCOPE_FAULTY(ssize_t, writev, (int file, const iovec* parts, int count), (file, parts, count),
                   kinetoscope::faults::writingFails(file), -1)
KINETOSCOPE_FAULTY(int, ftruncate, (int file, off_t bytes), (file, bytes),
                   fails(Call::Write, ENOSPC), -1)
KINETOSCOPE_FAULTY(int, ftruncate64, (int file, off64_t bytes), (file, bytes),
                   fails(Call::Write, ENOSPC), -1)

KINETOSCOPE_FAULTY_OPEN(open, (const char* path, int flags, ...), path, flags)
KINETOSCOPE_FAULTY_OPEN(open64, (const char* path, int flags, ...), path, flags)
KINETOSCOPE_FAULTY_OPEN(openat, (int folder, const char* path, int flags, ...), folder, path, flags)
KINETOSCOPE_FAULTY_OPEN(openat64, (int folder, const char* path, int flags, ...), folder, path,
                        flags)
KINETOSCOPE_FAULTY(std::FILE*, fopen, (const char* path, const char* mode), (path, mode),
                   fails(Call::Open, EMFILE), nullptr)
KINETOSCOPE_FAULTY(std::FILE*, fopen64, (const char* path, const char* mode), (path, mode),
                   fails(Call::Open, EMFILE), nullptr)
KINETOSCOPE_FAULTY(DIR*, opendir, (const char* path), (path), fails(Call::Open, EMFILE), nullptr)
KINETOSCOPE_FAULTY(int, mkostemp, (char* path, int flags), (path, flags), fails(Call::Open, EMFILE),
                   -1)
KINETOSCOPE_FAULTY(int, mkostemp64, (char* path, int flags), (path, flags),
                   fails(Call::Open, EMFILE), -1)
KINETOSCOPE_FAULTY(int, mkdir, (const char* path, mode_t mode), (path, mode),
                   fails(Call::Open, ENOSPC), -1)
KINETOSCOPE_FAULTY(char*, mkdtemp, (char* path), (path), fails(Call::Open, ENOSPC), nullptr)
KINETOSCOPE_FAULTY(int, pipe2, (int* ends, int flags), (ends, flags), fails(Call::Open, EMFILE), -1)

KINETOSCOPE_FAULTY(int, rename, (const char* from, const char* to), (from, to),
                   fails(Call::Rename, EACCES), -1)
KINETOSCOPE_FAULTY(int, renameat2,
                   (int folder, const char* from, int other, const char* to, unsigned flags),
                   (folder, from, other, to, flags), fails(Call::Rename, EACCES), -1)
KINETOSCOPE_FAULTY(int, link, (const char* from, const char* to), (from, to),
                   fails(Call::Rename, EPERM), -1)

KINETOSCOPE_FAULTY(int, fsync, (int file), (file), fails(Call::Sync, EIO), -1)
KINETOSCOPE_FAULTY(int, fdatasync, (int file), (file), fails(Call::Sync, EIO), -1)

KINETOSCOPE_FAULTY(int, pthread_create,
                   (pthread_t * thread, const pthread_attr_t* attributes, void* (*work)(void*),
                    void* with),
                   (thread, attributes, work, with), fails(Call::Thread, EAGAIN), EAGAIN)

// As a clock that fell back to its beginning: most callers do not ask whether it worked.
extern "C" int clock_gettime(clockid_t clock, timespec* time) {
    static const auto real =
        kinetoscope::faults::next<int (*)(clockid_t, timespec*)>("clock_gettime");
    if (fails(Call::Clock, EINVAL)) {
        *time = {};
        return -1;
    }
    return real(clock, time);
}

extern "C" void* malloc(std::size_t bytes) {
    return kinetoscope::faults::allocationFails(bytes) ? nullptr : __libc_malloc(bytes);
}

extern "C" void* calloc(std::size_t count, std::size_t bytes) {
    return kinetoscope::faults::allocationFails(count * bytes) ? nullptr
                                                               : __libc_calloc(count, bytes);
}

extern "C" void* realloc(void* old, std::size_t bytes) {
    return kinetoscope::faults::allocationFails(bytes) ? nullptr : __libc_realloc(old, bytes);
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return kinetoscope::faults::allocationFails(bytes) ? nullptr
                                                       : __libc_memalign(alignment, bytes);
}

extern "C" int posix_memalign(void** to, std::size_t alignment, std::size_t bytes) {
    if (kinetoscope::faults::allocationFails(bytes)) {
        return ENOMEM;
    }
    *to = __libc_memalign(alignment, bytes);
    return *to == nullptr ? ENOMEM : 0;
}

// Faults by the environment begin with main(): no program can answer for what comes before.
extern "C" int __libc_start_main(int (*main)(int, char**, char**), int count, char** words,
                                 void (*begin)(), void (*end)(), void (*unload)(), void* stackEnd) {
    using Start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(),
                          void (*)(), void*);
    static const auto real = kinetoscope::faults::next<Start>("__libc_start_main");
    kinetoscope::faults::programsMain = main;
    return real(kinetoscope::faults::armedMain, count, words, begin, end, unload, stackEnd);
}

#endif
