// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

/// Input shapes of many events, read from the trace's text by as many threads as call work().
class OperatorShapes {
public:
    /// `slices` in file order; those that are not operators have no shapes. Lives longer than this.
    OperatorShapes(const trace::Trace& trace, const std::vector<trace::SliceId>& slices);

    /// Takes work that no other thread has taken, until none is left.
    void work(const std::stop_token& stop);
    /// When all threads have returned from work(): whether everything could be read.
    [[nodiscard]] Result<void> result() const;

    /// Equal for equal shapes; by place in `slices`.
    [[nodiscard]] std::uint32_t idOf(std::size_t place) const { return m_ids[place]; }
    /// "[[4096, 1024], []]", "[]" without any.
    [[nodiscard]] const std::string& text(std::uint32_t id) const { return m_texts[id]; }

private:
    class Known;
    using Ids = std::unordered_map<std::string, std::uint32_t>;

    [[nodiscard]] Result<void> read(std::size_t begin, std::size_t end, const std::stop_token& stop,
                                    Known& known);
    [[nodiscard]] std::uint32_t idOfJson(std::string_view json);

    const trace::Trace& m_trace;
    const std::vector<trace::SliceId>& m_slices;
    std::size_t m_piece;  ///< slices read at a time
    std::atomic<std::size_t> m_next = 0;
    std::vector<std::uint32_t> m_ids;
    std::mutex m_mutex;  ///< of everything below
    std::vector<std::string> m_texts;
    Ids m_idOfText;
    Result<void> m_result;
};

/// "Input Dims" of an event as Python prints the list; lists of tensors have no shape.
[[nodiscard]] std::string inputShapes(std::string_view json);

}  // namespace kinetoscope::analysis
