// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/TextBytes.h"

#include <algorithm>

namespace kinetoscope::import::source {

namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;

}  // namespace

std::string TextBytes::take(std::size_t count) {
    std::string bytes;
    while (bytes.size() < count) {
        const std::size_t have = bytes.size();
        bytes.resize(have + std::min(count - have, kBlockBytes));
        const std::size_t got = m_source.read(bytes.data() + have, bytes.size() - have);
        bytes.resize(have + got);
        m_position += got;
        if (got == 0) {
            break;
        }
    }
    return bytes;
}

bool TextBytes::goTo(std::uint64_t offset) {
    if (m_source.seek(offset)) {
        m_position = offset;
        return true;
    }
    if (offset < m_position) {
        return false;
    }
    while (m_position < offset) {
        if (take(
                static_cast<std::size_t>(std::min<std::uint64_t>(offset - m_position, kBlockBytes)))
                .empty()) {
            return false;
        }
    }
    return true;
}

}  // namespace kinetoscope::import::source
