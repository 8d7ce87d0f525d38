// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <vector>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/HugeHeap.h"
#include "app/kscope/InputLines.h"
#include "app/kscope/Options.h"
#include "app/kscope/Terminal.h"
#include "core/base/Threads.h"
#include "core/mcp/Server.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kMcpFooter =
    R"(A Model Context Protocol server on standard input and output, for assistants that answer questions
about traces: it keeps opened traces in memory and gives short answers with definitions. It reads
only files in the given folders (default: the current one) and never writes.

Example: settings of an assistant
  {"mcpServers": {"kinetoscope": {"command": "kscope", "args": ["mcp", "/data/traces"]}}}

docs/assistants.md lists what can be asked.)";

// Lines as they come in, while an earlier one is being answered.
class Inbox {
public:
    void put(std::string line) {
        const std::lock_guard lock(m_mutex);
        m_lines.push_back(std::move(line));
        m_filled.notify_one();
    }
    void close() {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_filled.notify_one();
    }
    // Nothing when there will be no more.
    std::optional<std::string> take() {
        std::unique_lock lock(m_mutex);
        m_filled.wait(lock, [&] { return m_closed || !m_lines.empty(); });
        if (m_lines.empty()) {
            return std::nullopt;
        }
        std::string line = std::move(m_lines.front());
        m_lines.pop_front();
        return line;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_filled;
    std::deque<std::string> m_lines;
    bool m_closed = false;
};

int serve(mcp::Server& server) {
    Inbox inbox;
    std::atomic<bool> failed = false;
    // Reads on while a request is answered: the next line may cancel it.
    const auto reader = tryThread([&](const std::stop_token& stop) {
        const auto read = guarded([&]() -> Result<void> {
            InputLines lines(stop);
            while (auto line = lines.next()) {
                server.notice(*line);
                inbox.put(std::move(*line));
            }
            return {};
        });
        if (!read) {
            printError(read.error().message);
            failed = true;
        }
        inbox.close();
    });
    if (!reader) {
        printError("cannot start another thread");
        return kExitOutput;
    }
    while (const auto line = inbox.take()) {
        if (line->find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        if (const auto reply = server.reply(*line)) {
            if (const auto written = printOut(*reply + "\n"); !written) {
                return reportError(written.error());
            }
        }
    }
    return failed ? kExitOutput : kExitGood;
}

int runMcp(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error)) {
            printError("'" + text::printable(folder) +
                       "': is not a folder; name folders whose files may be read");
            return kExitInput;
        }
    }
    useHugeHeap();
    mcp::Server server({folders.begin(), folders.end()}, KINETOSCOPE_VERSION);
    return serve(server);
}

}  // namespace

std::function<int()> declareMcp(CLI::App& app) {
    auto folders = std::make_shared<std::vector<std::string>>();
    app.add_option("FOLDER…", *folders,
                   "Folders whose files may be read (default: the current one)");
    app.footer(kMcpFooter);
    return
        [folders] { return runMcp(folders->empty() ? std::vector<std::string>{"."} : *folders); };
}

}  // namespace kinetoscope::app
