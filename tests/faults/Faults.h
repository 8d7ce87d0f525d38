// SPDX-License-Identifier: Apache-2.0
// Calls into the system that fail on request. Linked into a test, or loaded before a program:
//   LD_PRELOAD=libfaults.so KINETOSCOPE_FAULT=write:3 kscope …
// KINETOSCOPE_FAULT          CALL:N, from main() on; "CALL:N+": all of them from the N-th on
// KINETOSCOPE_FAULT_MARK     file that gets a byte for each call that failed
// KINETOSCOPE_FAULT_PROGRAM  the program that is meant, as its children get the same environment
// KINETOSCOPE_FAULT_BYTES    allocations below this size are not counted
#pragma once

#include <array>
#include <cstddef>

namespace kinetoscope::faults {

enum class Call { Read, Map, Write, Open, Rename, Sync, Allocate, Thread, Clock };

inline constexpr std::array<const char*, 9> kCallNames{
    "read", "mmap", "write", "open", "rename", "sync", "allocate", "thread", "clock"};

/// From now on the `nth` call of this kind (from 1) fails; with `andAllLater` those after it too.
void failAt(Call call, std::size_t nth, bool andAllLater = false);

/// Nothing fails any more; how many calls did since failAt().
std::size_t disarm();

}  // namespace kinetoscope::faults
