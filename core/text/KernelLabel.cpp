// SPDX-License-Identifier: Apache-2.0
#include "core/text/KernelLabel.h"

#include <algorithm>

#include "core/base/Demangle.h"
#include "core/text/Printable.h"

namespace kinetoscope::text {

namespace {

// Below this width there is no room for both a name and its arguments.
constexpr std::size_t kMinSplit = 16;
constexpr std::string_view kAnonymousScope = "(anonymous namespace)";

bool isIdentifier(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Where the parameters of the outermost function begin; the end when it has none. A bracket behind
// a blank is text, as in "Memcpy HtoD (Pageable -> Device)".
std::size_t parameters(std::string_view name) {
    int depth = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name.substr(at).starts_with(kAnonymousScope)) {
            at += kAnonymousScope.size() - 1;
        } else if (name[at] == '<' || name[at] == '{') {
            ++depth;
        } else if (name[at] == '>' || name[at] == '}') {
            --depth;
        } else if (name[at] == '(' && depth == 0) {
            return at > 0 && name[at - 1] == ' ' ? name.size() : at;
        }
    }
    return name.size();
}

void dropQualifier(std::string& label) {
    if (label.ends_with(kAnonymousScope)) {
        label.erase(label.size() - kAnonymousScope.size());
        return;
    }
    while (!label.empty() && isIdentifier(label.back())) {
        label.pop_back();
    }
}

}  // namespace

std::string kernelLabel(std::string_view name) {
    if (isMangled(name)) {
        const std::string readable = demangledName(name);
        return isMangled(readable) ? readable : kernelLabel(readable);
    }
    const std::size_t end = parameters(name);
    std::string_view rest = name.substr(0, end);
    if (end < name.size() && rest.starts_with("void ")) {
        rest.remove_prefix(5);
    }
    std::string label;
    while (!rest.empty()) {
        const bool qualifies = rest.starts_with("::") && !label.empty() &&
                               (isIdentifier(label.back()) || label.ends_with(kAnonymousScope));
        if (qualifies) {
            dropQualifier(label);
            rest.remove_prefix(2);
        } else if (rest.starts_with(" >")) {
            rest.remove_prefix(1);
        } else {
            label += rest.front();
            rest.remove_prefix(1);
        }
    }
    return label.empty() ? std::string(name) : label;
}

std::string fitKernelLabel(std::string_view label, std::size_t width) {
    const std::size_t open = label.find('<');
    if (displayWidth(label) <= width || open == std::string_view::npos || width < kMinSplit) {
        return fitWidth(label, width);
    }
    const std::string_view arguments = label.substr(open);
    const std::size_t spare = width - std::min(width, displayWidth(arguments));
    const std::size_t room = std::max({spare, width / 3, kMinSplit / 2});
    const std::string name = fitEnd(label.substr(0, open), room);
    return name + fitEnd(arguments, width - displayWidth(name));
}

}  // namespace kinetoscope::text
