// SPDX-License-Identifier: Apache-2.0
#include "core/base/Demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

namespace kinetoscope {

namespace {

constexpr std::size_t kMax = 2048;
// A reference (S1_, T_) may stand for all that came before it, so 60 of them make gigabytes of text
// from 200 letters. With 24 a name grows 3^8 times at most. A pack is written once an element.
constexpr std::size_t kMaxReferences = 24;
constexpr std::size_t kReferencesOfAPack = 4;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t referencesIn(std::string_view name) {
    std::size_t count = 0;
    for (std::size_t i = 0; i + 1 < name.size(); ++i) {
        if (name[i] == 'S' || name[i] == 'T') {
            const std::size_t end =
                name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", i + 1);
            count += end != std::string_view::npos && name[end] == '_' ? 1U : 0U;
        }
        const std::string_view two = name.substr(i, 2);
        count += two == "Dp" || two == "sp" ? kReferencesOfAPack : 0U;
    }
    return count;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

std::string byRuntime(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : std::string();
}

// Runtimes of before 2023 do not know __bf16; char8_t is as short and in no kernel.
std::string withBfloat(std::string name) {
    constexpr std::string_view kBfloat = "DF16b";
    constexpr std::string_view kStandIn = "Du";
    if (name.find(kBfloat) == std::string::npos || name.find(kStandIn) != std::string::npos) {
        return {};
    }
    replaceAll(name, kBfloat, kStandIn);
    std::string text = byRuntime(name);
    replaceAll(text, "char8_t", "__bf16");
    return text;
}

// "4name" as "name"; empty when there is none.
std::string_view takeIdentifier(std::string_view& rest) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (error != std::errc() || length == 0 || length > rest.size()) {
        return {};
    }
    const std::string_view identifier = rest.substr(0, length);
    rest.remove_prefix(length);
    return identifier;
}

// "4some4name" as "some::name"; empty when an identifier is cut off.
std::string takePath(std::string_view& rest, bool nested) {
    std::string path;
    do {
        const std::string_view identifier = takeIdentifier(rest);
        if (identifier.empty()) {
            return {};
        }
        path += path.empty() ? "" : "::";
        path += identifier.starts_with("_GLOBAL__N") ? "(anonymous namespace)" : identifier;
    } while (nested && !rest.empty() && isDigit(rest.front()));
    return path;
}

// The name of the first template argument, if it is a class: it identifies most of what follows.
std::string firstArgument(std::string_view rest) {
    const bool nested = rest.starts_with('N');
    rest.remove_prefix(nested ? 1 : 0);
    if (nested && rest.starts_with('S')) {
        rest.remove_prefix(std::min(rest.find('_'), rest.size() - 1) + 1);
    }
    return rest.empty() || !isDigit(rest.front()) ? std::string() : takePath(rest, nested);
}

// Namespaces and name up to the first template arguments; empty when they are not plain names.
std::string pathOf(std::string_view name) {
    std::string_view rest = name.substr(2);
    const bool nested = rest.starts_with('N');
    rest.remove_prefix(nested ? 1 : 0);
    std::string path = rest.empty() || !isDigit(rest.front()) ? "" : takePath(rest, nested);
    if (path.empty() || (nested && !rest.starts_with('I') && !rest.starts_with('E'))) {
        return {};
    }
    if (rest.starts_with('I')) {
        path += '<' + firstArgument(rest.substr(1)) + "…>";
    }
    return path;
}

}  // namespace

std::string demangledSignature(std::string_view name) {
    std::string whole(name);
    if (!isMangled(name) || name.find('\0') != std::string_view::npos || name.size() > kMax ||
        referencesIn(name) > kMaxReferences) {
        return whole;
    }
    std::string text = byRuntime(whole);
    if (text.empty()) {
        text = withBfloat(whole);
    }
    return text.empty() ? whole : text;
}

std::string demangledName(std::string_view name) {
    std::string signature = demangledSignature(name);
    if (signature != name || !isMangled(name) || name.find('\0') != std::string_view::npos) {
        return signature;
    }
    std::string path = pathOf(name);
    return path.empty() ? signature : path;
}

}  // namespace kinetoscope
