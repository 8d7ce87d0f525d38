// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/mcp/Answer.h"
#include "core/mcp/Workspace.h"

namespace kinetoscope::mcp {

/// A server of the Model Context Protocol: one message of JSON-RPC 2.0 a line, tools only. It reads
/// files of the given folders and writes nothing. What stands in a file is data: names and values
/// are strings of JSON, and nothing of them is followed.
class Server {
public:
    Server(const std::vector<std::filesystem::path>& folders, std::string version);

    /// The reply to one line, without its end; nothing for a notification. Never fails: what is
    /// wrong is an error of the protocol, or a tool's answer with "isError".
    [[nodiscard]] std::optional<std::string> reply(std::string_view line);

    /// From any thread, for every line as it comes in, before reply() gets it: ends the request
    /// that the line cancels, or lets it end at once where it still waits for reply().
    void notice(std::string_view line);

private:
    [[nodiscard]] std::optional<Json> answer(const Json& message);
    [[nodiscard]] Json initialize(const Json& parameters) const;
    [[nodiscard]] Json callTool(const Json& id, const Json& parameters);
    [[nodiscard]] bool begin(const Json& id);
    void cancel(const Json& notification);
    void forgetCancelled(const Json& notification);

    Workspace m_workspace;
    std::string m_version;
    std::mutex m_mutex;            ///< of what is below
    Json m_running;                ///< id of the request that is being answered
    std::stop_source m_stop;       ///< of that request
    std::deque<Json> m_cancelled;  ///< ids in notifications that reply() has not got yet
};

}  // namespace kinetoscope::mcp
