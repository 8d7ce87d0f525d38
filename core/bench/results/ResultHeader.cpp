// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ResultHeader.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

namespace kinetoscope::bench::results {

namespace {

std::string commandLine() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    std::replace(text.begin(), text.end(), '\0', ' ');
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

void describeRun(ResultHeader& header) {
    header.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    header.command = commandLine();
    utsname name{};
    if (::uname(&name) == 0) {
        header.host = name.nodename;
        header.system = fmt::format("{} {} {}", name.sysname, name.release, name.machine);
    }
}

}  // namespace kinetoscope::bench::results
