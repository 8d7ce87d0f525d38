// SPDX-License-Identifier: Apache-2.0
#pragma once

extern "C" {
int cuInit(unsigned flags);
int cuDriverGetVersion(int* version);
/// A kernel of this mangled name on a stream, with its call of cudaLaunchKernel.
void fakeLaunch(const char* kernel, unsigned stream);
/// A copy on a stream, with its call of cuMemcpyHtoDAsync.
void fakeCopy(unsigned stream);
}
