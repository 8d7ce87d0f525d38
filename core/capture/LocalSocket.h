// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kinetoscope::capture {

/// A Unix socket listening at `path`, for its owner only; -1 on failure (see errno). The path may
/// be longer than socket addresses are.
[[nodiscard]] int listenLocally(const std::string& path);
/// A connection to it, -1 without one.
[[nodiscard]] int connectLocally(const std::string& path);
/// Whether the other end belongs to the same user.
[[nodiscard]] bool peerIsSameUser(int socket);

}  // namespace kinetoscope::capture
