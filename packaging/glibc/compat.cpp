// SPDX-License-Identifier: Apache-2.0
// What headers, start-up files and static libraries of a newer glibc ask for, told in terms of an
// old one; see make_link_libraries.py. Compiled without glibc's headers, which
// would rename half of it.
#include <cstddef>
#include <cstdint>

extern "C" {

// --- 2.33: stat and its kin were functions of a version number -----------------------------------
constexpr int kStatVersion = 1;
int __xstat64(int, const char*, void*);
int __lxstat64(int, const char*, void*);
int __fxstat64(int, int, void*);
int __fxstatat64(int, int, const char*, void*, int);

int stat(const char* path, void* found) {
    return __xstat64(kStatVersion, path, found);
}
int stat64(const char* path, void* found) {
    return __xstat64(kStatVersion, path, found);
}
int lstat(const char* path, void* found) {
    return __lxstat64(kStatVersion, path, found);
}
int lstat64(const char* path, void* found) {
    return __lxstat64(kStatVersion, path, found);
}
int fstat(int file, void* found) {
    return __fxstat64(kStatVersion, file, found);
}
int fstat64(int file, void* found) {
    return __fxstat64(kStatVersion, file, found);
}
int fstatat(int folder, const char* path, void* found, int flags) {
    return __fxstatat64(kStatVersion, folder, path, found, flags);
}
int fstatat64(int folder, const char* path, void* found, int flags) {
    return __fxstatat64(kStatVersion, folder, path, found, flags);
}

// --- 2.30: waiting by a clock of one's own -------------------------------------------------------
struct TimeSpec {
    std::int64_t seconds;
    std::int64_t nanoseconds;
};
int clock_gettime(int, TimeSpec*);
int pthread_cond_timedwait(void*, void*, const TimeSpec*);

// `until` of that clock as a time of the real-time clock.
static TimeSpec onRealTime(int clock, const TimeSpec* until) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    TimeSpec there{};
    TimeSpec real{};
    clock_gettime(clock, &there);
    clock_gettime(0, &real);
    TimeSpec result{until->seconds - there.seconds + real.seconds,
                    until->nanoseconds - there.nanoseconds + real.nanoseconds};
    while (result.nanoseconds < 0) {
        result.nanoseconds += kSecond;
        --result.seconds;
    }
    while (result.nanoseconds >= kSecond) {
        result.nanoseconds -= kSecond;
        ++result.seconds;
    }
    return result;
}

int pthread_cond_clockwait(void* condition, void* mutex, int clock, const TimeSpec* until) {
    const TimeSpec real = onRealTime(clock, until);
    return pthread_cond_timedwait(condition, mutex, &real);
}

// --- 2.36: random numbers, of std::random_device
// --------------------------------------------------
long getrandom(void*, std::size_t, unsigned);
unsigned arc4random() {
    unsigned number = 0;
    while (getrandom(&number, sizeof number, 0) != static_cast<long>(sizeof number)) {
    }
    return number;
}

// --- 2.32: whether there is but one thread; "perhaps more" is always right
// ------------------------
char __libc_single_threaded = 0;

// --- 2.35: where exceptions find how to unwind an address
// --------------------------------------------
struct ProgramHeader {
    std::uint32_t type;
    std::uint32_t flags;
    std::uint64_t offset;
    std::uint64_t address;
    std::uint64_t physical;
    std::uint64_t fileSize;
    std::uint64_t memorySize;
    std::uint64_t alignment;
};
struct LoadedObject {
    std::uint64_t address;
    const char* name;
    const ProgramHeader* headers;
    std::uint16_t count;
};
struct FoundObject {
    std::uint64_t flags;
    std::uint64_t begin;
    std::uint64_t end;
    void* linkMap;  // libgcc does not ask for it
    std::uint64_t unwinding;
    std::uint64_t reserved[7];
};
struct Search {
    std::uint64_t wanted;
    FoundObject* result;
};
int dl_iterate_phdr(int (*)(const LoadedObject*, std::size_t, void*), void*);

static int isWanted(const LoadedObject* object, std::size_t /*size*/, void* data) {
    constexpr std::uint32_t kLoad = 1;
    constexpr std::uint32_t kUnwinding = 0x6474e550;
    const auto* search = static_cast<const Search*>(data);
    FoundObject found{};
    for (std::uint16_t i = 0; i < object->count; ++i) {
        const ProgramHeader& header = object->headers[i];
        const std::uint64_t begin = object->address + header.address;
        if (header.type == kUnwinding) {
            found.unwinding = begin;
        } else if (header.type == kLoad && begin <= search->wanted &&
                   search->wanted < begin + header.memorySize) {
            found.begin = begin;
            found.end = begin + header.memorySize;
        }
    }
    if (found.end == 0 || found.unwinding == 0) {
        return 0;
    }
    *search->result = found;
    return 1;
}

int _dl_find_object(void* address, FoundObject* result) {
    Search search{reinterpret_cast<std::uint64_t>(address), result};
    return dl_iterate_phdr(isWanted, &search) == 1 ? 0 : -1;
}

// --- 2.38: numbers of C23 -----------------------------------------------------------------------
long strtol(const char*, char**, int);
long long strtoll(const char*, char**, int);
unsigned long strtoul(const char*, char**, int);
unsigned long long strtoull(const char*, char**, int);
long __isoc23_strtol(const char* text, char** end, int base) {
    return strtol(text, end, base);
}
long long __isoc23_strtoll(const char* text, char** end, int base) {
    return strtoll(text, end, base);
}
unsigned long __isoc23_strtoul(const char* text, char** end, int base) {
    return strtoul(text, end, base);
}
unsigned long long __isoc23_strtoull(const char* text, char** end, int base) {
    return strtoull(text, end, base);
}

}  // extern "C"
