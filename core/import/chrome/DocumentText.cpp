// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/DocumentText.h"

#include <algorithm>

#include "core/import/event/TolerantReader.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::chrome {

namespace {

constexpr std::size_t kMaxValueBytes = 256 * 1024 * 1024;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view restOf(const source::TextWindow& window, const char* at) {
    return {at, static_cast<std::size_t>(window.end() - at)};
}

}  // namespace

const char* documentBegin(source::TextWindow& window) {
    const char* at = window.begin();
    while (restOf(window, at).size() < kByteOrderMark.size() && window.more(at)) {
    }
    return restOf(window, at).starts_with(kByteOrderMark) ? at + kByteOrderMark.size() : at;
}

bool skipSpace(source::TextWindow& window, const char*& at) {
    for (;;) {
        at = scan::skipSpace(at);
        if (at < window.end()) {
            return true;
        }
        if (!window.more(at)) {
            return false;
        }
    }
}

bool readValue(source::TextWindow& window, const char*& at, scan::JsonText& value) {
    for (;;) {
        event::SyntaxIssues issues;
        const event::ReadResult result =
            event::readValueTolerantly(at, window.end(), value, issues);
        const bool nearEnd = result.at + scan::kTextPadding >= window.end();
        if (result.complete && (!nearEnd || window.atEnd())) {
            at = result.at;
            return true;
        }
        if (nearEnd && !window.atEnd() && restOf(window, at).size() < kMaxValueBytes) {
            if (!window.more(at) && window.stopped()) {
                return false;
            }
            continue;
        }
        at = result.at;
        return false;
    }
}

bool readKey(source::TextWindow& window, const char*& at, std::string& key) {
    scan::JsonText text;
    if (*at != '"' || !readValue(window, at, text)) {
        return false;
    }
    std::string storage;
    key = scan::decodeString(text, storage).text;
    return skipSpace(window, at) && *at == ':' && skipSpace(window, ++at);
}

bool findEventsKey(source::TextWindow& window, const char*& at) {
    const std::string quoted = '"' + std::string(kEventsKey) + '"';
    for (;;) {
        const std::string_view text = restOf(window, at);
        const std::size_t found = text.find(quoted);
        if (found != std::string_view::npos) {
            at += found;
            return true;
        }
        at += text.size() - std::min(text.size(), quoted.size());
        if (!window.more(at)) {
            return false;
        }
    }
}

}  // namespace kinetoscope::import::chrome
