// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/HugeHeap.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>

namespace kinetoscope::app {

namespace {

void growHeap() {
#ifdef __GLIBC__
    constexpr int kPiece = 32 * 1024 * 1024;
    constexpr int kOwnMapping = 32 * 1024 * 1024;  // as high as the system lets it rise by itself
    constexpr std::uintptr_t kHugePage = 2 * 1024 * 1024;
    // The heap grows by this much with the next allocation that it has no room for.
    ::mallopt(M_TOP_PAD, kPiece);
    ::mallopt(M_TRIM_THRESHOLD, 2 * kPiece);
    ::mallopt(M_MMAP_THRESHOLD, kOwnMapping);
    ::mallopt(M_ARENA_MAX, 1);  // for all threads: reading allocates little
    void* const volatile grown = std::malloc(1024 * 1024);  // volatile: not to be left out
    std::free(grown);
    char* const end = static_cast<char*>(::sbrk(0));
    char* const piece = end - kPiece;
    char* const begin = piece - reinterpret_cast<std::uintptr_t>(piece) % kHugePage;
    // Advice: where the system does not take it, nothing is lost.
    static_cast<void>(::madvise(begin, static_cast<std::size_t>(end - begin), MADV_HUGEPAGE));
    ::mallopt(M_TOP_PAD, 128 * 1024);
#endif
}

}  // namespace

void useHugeHeap() {
    static std::once_flag grown;
    std::call_once(grown, growHeap);
}

}  // namespace kinetoscope::app
