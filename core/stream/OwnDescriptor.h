// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace kinetoscope::stream {

/// A descriptor of ours inside of a program that may close whatever it finds open and have files of
/// its own under the same numbers afterwards. It is closed on exec and stands, where the system's
/// limit allows, above the numbers that programs get. Allocates nothing.
class OwnDescriptor {
public:
    OwnDescriptor() = default;
    /// Takes over what was opened just now; negative: nothing, errno is kept.
    explicit OwnDescriptor(int opened);
    OwnDescriptor(OwnDescriptor&& other) noexcept;
    OwnDescriptor& operator=(OwnDescriptor&& other) noexcept;
    OwnDescriptor(const OwnDescriptor&) = delete;
    OwnDescriptor& operator=(const OwnDescriptor&) = delete;
    ~OwnDescriptor() { close(); }

    [[nodiscard]] bool isOpen() const { return m_number >= 0; }
    /// Whether what was opened is still behind the number. To be asked before each use.
    [[nodiscard]] bool isOurs() const;
    [[nodiscard]] bool isSameFileAs(const OwnDescriptor& other) const;
    [[nodiscard]] int get() const { return m_number; }

    /// Closes it unless it is no longer ours. False if the system reports that something was lost.
    bool close();
    /// Leaves the number alone from here on.
    void forget() { m_number = -1; }

private:
    int m_number = -1;
    dev_t m_device = 0;
    ino_t m_inode = 0;
};

}  // namespace kinetoscope::stream
