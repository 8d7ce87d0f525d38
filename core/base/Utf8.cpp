// SPDX-License-Identifier: Apache-2.0
#include "core/base/Utf8.h"

#include <cstring>

namespace kinetoscope {

namespace {

// Bytes at the start of `text`, in whole words, that are ASCII.
std::size_t asciiWords(std::string_view text) {
    constexpr std::uint64_t kHighBits = 0x8080808080808080;
    std::size_t at = 0;
    for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
        std::memcpy(&word, text.data() + at, sizeof word);
        if ((word & kHighBits) != 0) {
            break;
        }
    }
    return at;
}

bool isContinuation(std::string_view text, std::size_t at, unsigned low, unsigned high) {
    return at < text.size() && static_cast<unsigned char>(text[at]) >= low &&
           static_cast<unsigned char>(text[at]) <= high;
}

}  // namespace

std::size_t utf8Length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return isContinuation(text, 1, 0x80, 0xBF) ? 2 : 0;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = lead == 0xED ? 0x9F : 0xBF;
        return isContinuation(text, 1, low, high) && isContinuation(text, 2, 0x80, 0xBF) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        return isContinuation(text, 1, low, high) && isContinuation(text, 2, 0x80, 0xBF) &&
                       isContinuation(text, 3, 0x80, 0xBF)
                   ? 4
                   : 0;
    }
    return 0;
}

bool isUtf8(std::string_view text) {
    text.remove_prefix(asciiWords(text));
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

std::string_view asUtf8(std::string_view text, std::string& storage) {
    if (isUtf8(text)) {
        return text;
    }
    storage.clear();
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        storage += length == 0 ? kReplacementCharacter : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return storage;
}

}  // namespace kinetoscope
