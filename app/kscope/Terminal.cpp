// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/Terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "app/kscope/Command.h"
#include "core/base/ProcessSetup.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr std::size_t kPlainWidth = 100;
constexpr std::size_t kMinWidth = 40;

std::size_t environmentWidth() {
    const char* text = std::getenv("COLUMNS");
    std::size_t width = 0;
    if (text != nullptr) {
        std::from_chars(text, text + std::strlen(text), width);
    }
    return width;
}

std::size_t terminalWidth() {
    winsize size{};
    if (::isatty(STDOUT_FILENO) != 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        return size.ws_col;
    }
    return 0;
}

bool wantsColour() {
    const char* off = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return ::isatty(STDOUT_FILENO) != 0 && (off == nullptr || *off == '\0') &&
           (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace

text::TextStyle textStyle(bool toFile, bool fullNames) {
    std::size_t width = toFile ? 0 : terminalWidth();
    width = width > 0 ? width : environmentWidth();
    width = width > 0 ? width : kPlainWidth;
    return {std::max(width, kMinWidth), !toFile && wantsColour(), fullNames};
}

void printNote(std::string line) {
    line += '\n';
    writeToStandardError(line);
}

void printError(std::string_view message) {
    printNote("kscope: " + text::printable(message));
}

void printWarning(std::string_view message) {
    printNote("kscope: warning: " + text::printable(message));
}

int reportError(const Error& error) {
    printError(error.message);
    switch (error.kind) {
        case ErrorKind::BadInput:
            return kExitInput;
        case ErrorKind::Output:
            return kExitOutput;
        case ErrorKind::Cancelled:
            return kExitCancelled;
    }
    return kExitInput;
}

Result<void> printOut(std::string_view text) {
    const bool good =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!good) {
        return fail(fmt::format("cannot write to standard output: {}", std::strerror(errno)),
                    ErrorKind::Output);
    }
    return {};
}

}  // namespace kinetoscope::app
