// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace kinetoscope {

/// Written by a worker, read by anybody at any time. Units are bytes of the input file.
/// Stopping is the business of the std::stop_token handed over beside it.
class Progress {
public:
    void start(std::uint64_t total) {
        m_done.store(0, std::memory_order_relaxed);
        m_total.store(total, std::memory_order_relaxed);
    }
    void set(std::uint64_t done) { m_done.store(done, std::memory_order_relaxed); }

    [[nodiscard]] std::uint64_t done() const { return m_done.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t total() const { return m_total.load(std::memory_order_relaxed); }

    /// 0 to 1; 0 while the total is unknown.
    [[nodiscard]] double fraction() const {
        const auto all = total();
        if (all == 0) {
            return 0.0;
        }
        const double part = static_cast<double>(done()) / static_cast<double>(all);
        return part > 1.0 ? 1.0 : part;
    }

private:
    std::atomic<std::uint64_t> m_done{0};
    std::atomic<std::uint64_t> m_total{0};
};

}  // namespace kinetoscope
