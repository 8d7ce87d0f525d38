// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/arrange/TableArranger.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace kinetoscope::models {

namespace {

constexpr std::chrono::milliseconds kSlice(6);  // of a frame of 16 ms
constexpr std::uint32_t kRowsBetweenClocks = 512;

}  // namespace

TableArranger::TableArranger(Deliver deliver)
    : m_deliver(std::move(deliver)), m_sorting([this](Result<std::vector<std::uint32_t>> sorted) {
          // Without memory or threads for it the rows stay in the order of the source.
          m_deliver(sorted ? std::move(*sorted) : m_kept, m_kept);
      }) {
    QObject::connect(&m_slices, &QTimer::timeout, &m_slices, [this] { arrangeSlice(); });
}

void TableArranger::start(Arrangement arrangement) {
    cancel();
    m_wanted = std::move(arrangement);
    const bool filters = static_cast<bool>(m_wanted->keep);
    m_next = filters ? 0 : m_wanted->rows;
    m_kept = std::move(m_wanted->kept);
    m_keys = RowKeys(m_wanted->rows);
    m_slices.start(0);
}

void TableArranger::cancel() {
    m_slices.stop();
    m_sorting.cancel();
    m_wanted.reset();
}

void TableArranger::arrangeSlice() {
    const QDeadlineTimer end(kSlice);
    if (filterFor(end) && readKeysFor(end)) {
        m_slices.stop();
        sortKept();
    }
}

// True when all rows are filtered.
bool TableArranger::filterFor(const QDeadlineTimer& end) {
    const std::uint32_t rows = m_wanted->rows;
    while (m_next < rows && !end.hasExpired()) {
        const std::uint32_t pause = m_next + std::min(rows - m_next, kRowsBetweenClocks);
        for (; m_next < pause; ++m_next) {
            if (m_wanted->keep(m_next)) {
                m_kept.push_back(m_next);
            }
        }
    }
    return m_next == rows;
}

// True when all rows that are left have their keys.
bool TableArranger::readKeysFor(const QDeadlineTimer& end) {
    const std::size_t rows = m_wanted->key ? m_kept.size() : 0;
    while (m_keys.size() < rows && !end.hasExpired()) {
        const std::size_t pause = std::min(rows, m_keys.size() + kRowsBetweenClocks);
        while (m_keys.size() < pause) {
            m_keys.add(m_wanted->key(m_kept[m_keys.size()]));
        }
    }
    return m_keys.size() == rows;
}

void TableArranger::sortKept() {
    const Arrangement wanted = *std::exchange(m_wanted, std::nullopt);
    if (!wanted.key) {
        m_deliver(m_kept, m_kept);
        return;
    }
    const auto keys = std::make_shared<RowKeys>(std::exchange(m_keys, RowKeys()));
    m_sorting.start([rows = m_kept, keys, order = wanted.order](
                        const std::stop_token&) -> Result<std::vector<std::uint32_t>> {
        return std::move(*keys).sorted(rows, order);
    });
}

}  // namespace kinetoscope::models
