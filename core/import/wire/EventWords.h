// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/Time.h"

namespace kinetoscope::import::wire {

/// Words events of other formats as Kineto would write them: the text that Details shows and
/// `kscope cut` copies. Keys and texts are any bytes.
class EventWords {
public:
    /// Begins an object. `pid` and `tid` are JSON; no `tid` where it is empty.
    void open(char phase, std::string_view category, std::string_view name, std::string_view pid,
              std::string_view tid);
    void time(TimeNs ns);
    void duration(TimeNs ns);
    /// Of an arrow's end, which belongs to the slice around it.
    void flow(std::int64_t id);
    /// Members of "args".
    void number(std::string_view key, std::int64_t value);
    void number(std::string_view key, std::uint64_t value);
    void real(std::string_view key, double value);
    void text(std::string_view key, std::string_view value);
    /// `value` is JSON.
    void json(std::string_view key, std::string_view value);
    template <class Triple>
    void triple(std::string_view key, const Triple& values) {
        json(key, "[" + std::to_string(values[0]) + ", " + std::to_string(values[1]) + ", " +
                      std::to_string(values[2]) + "]");
    }
    /// Ends the object; valid until the next open().
    [[nodiscard]] const std::string& close();

    /// Metadata such as "thread_name": one whole object.
    [[nodiscard]] const std::string& metadata(std::string_view what, std::string_view pid,
                                              std::string_view tid, std::string_view key,
                                              std::string_view valueJson);

private:
    void key(std::string_view key);

    std::string m_text;
    bool m_arguments = false;
};

/// Text as a JSON string.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace kinetoscope::import::wire
