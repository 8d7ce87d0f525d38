// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any lines as requests to the server for assistants. Each reply is one line of
// JSON-RPC, and no file is there to be opened.
#include <nlohmann/json.hpp>

#include "core/mcp/Server.h"
#include "tests/fuzz/Require.h"

using namespace kinetoscope;
using namespace kinetoscope::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    mcp::Server server({"/proc/self/fdinfo"}, "0");
    std::string_view text = textOf(data, size);
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        server.notice(line);
        const auto reply = server.reply(line);
        if (!reply) {
            continue;
        }
        requireLine(*reply);
        const auto json = nlohmann::json::parse(*reply, nullptr, false);
        for (const auto& one : json.is_array() ? json : nlohmann::json::array({json})) {
            require(one.is_object() && one.value("jsonrpc", "") == "2.0", "not JSON-RPC");
            require(one.contains("result") != one.contains("error"), "neither result nor error");
        }
    }
    return 0;
}
