// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/MachineFacts.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

namespace kinetoscope::app {

void describeMachine(std::string& created, std::string& host, std::string& system) {
    created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    utsname name{};
    if (::uname(&name) == 0) {
        host = name.nodename;
        system = fmt::format("{} {} {}", name.sysname, name.release, name.machine);
    }
}

std::string typedCommand() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    std::replace(text.begin(), text.end(), '\0', ' ');
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace kinetoscope::app
