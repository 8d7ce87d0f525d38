// SPDX-License-Identifier: Apache-2.0
#include "core/base/ProcessMemory.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace kinetoscope {

namespace {

std::uint64_t systemValue(int name) {
    return static_cast<std::uint64_t>(std::max(::sysconf(name), 0L));
}

}  // namespace

std::uint64_t machineMemory() {
    return systemValue(_SC_PHYS_PAGES) * systemValue(_SC_PAGESIZE);
}

std::uint64_t residentMemory() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    return file >> all >> resident ? resident * systemValue(_SC_PAGESIZE) : 0;
}

void releaseFreeMemory() {
    ::malloc_trim(0);
}

}  // namespace kinetoscope
