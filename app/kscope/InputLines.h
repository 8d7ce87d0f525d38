// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace kinetoscope::app {

/// Lines of standard input, for a thread that must end when it is stopped: a read alone would wait
/// for a line that may never come.
class InputLines {
public:
    explicit InputLines(std::stop_token stop);
    InputLines(const InputLines&) = delete;
    InputLines& operator=(const InputLines&) = delete;
    ~InputLines();

    /// Without its end; nothing at the end of the input and after a stop.
    [[nodiscard]] std::optional<std::string> next();

private:
    [[nodiscard]] bool readMore();
    [[nodiscard]] std::string take(std::size_t length);

    std::stop_token m_stop;
    std::array<int, 2> m_pipe{-1, -1};  ///< wakes the reader up
    std::string m_text;                 ///< what was read and not handed out
    std::size_t m_begin = 0;            ///< of it, of the next line
    bool m_ended = false;
    std::optional<std::stop_callback<std::function<void()>>> m_wakeUp;
};

}  // namespace kinetoscope::app
