// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kinetoscope::app {

/// Lets the next 32 MiB that any thread allocates come from huge pages, and keeps what is freed for
/// what is allocated later. A first touch of 4 KiB costs 1.5 µs on a virtual machine, a third
/// of it within a huge page: a twentieth of the time of a trace of 100 MB. Larger columns of a
/// trace ask for huge pages themselves. Only the first call counts; does nothing where the system's
/// memory functions have no such switches.
void useHugeHeap();

}  // namespace kinetoscope::app
