// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/base/Result.h"

namespace kinetoscope::bench::run {

/// Keeps other benches off a GPU for the life of the object, in all processes of the machine.
class GpuLock {
public:
    /// Waits for another bench to end; `waiting` is called once when there is one. Fails when the
    /// lock's file cannot be made.
    [[nodiscard]] static Result<GpuLock> take(const std::string& uuid,
                                              const std::function<void()>& waiting);
    GpuLock(GpuLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    GpuLock& operator=(GpuLock&&) = delete;
    GpuLock(const GpuLock&) = delete;
    GpuLock& operator=(const GpuLock&) = delete;
    ~GpuLock();

private:
    explicit GpuLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor;
};

}  // namespace kinetoscope::bench::run
