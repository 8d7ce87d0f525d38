// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/arrange/TableArranger.h"

#include <QElapsedTimer>
#include <string>
#include <utility>

namespace kinetoscope::models {

namespace {

constexpr qint64 kSliceNs = 6'000'000;  // of a frame of 16 ms
constexpr std::uint32_t kRowsBetweenClocks = 512;

/// Texts belong to somebody who may change them while a worker reads: it gets a copy of all
/// letters.
struct OwnedKeys {
    std::string letters;
    query::ColumnKeys keys;
};

std::shared_ptr<OwnedKeys> ownedKeys(query::ColumnKeys keys) {
    auto owned = std::make_shared<OwnedKeys>();
    if (auto* texts = std::get_if<std::vector<std::string_view>>(&keys)) {
        std::size_t length = 0;
        for (const std::string_view text : *texts) {
            length += text.size();
        }
        owned->letters.reserve(length);  // or the views into it would lose their ground
        for (std::string_view& text : *texts) {
            const std::size_t at = owned->letters.size();
            owned->letters.append(text);
            text = std::string_view(owned->letters).substr(at, text.size());
        }
    }
    owned->keys = std::move(keys);
    return owned;
}

}  // namespace

TableArranger::TableArranger(Deliver deliver)
    : m_deliver(std::move(deliver)), m_sorting([this](Result<std::vector<std::uint32_t>> sorted) {
          // Without memory or threads for it the rows stay in the order of the source.
          m_deliver(sorted ? std::move(*sorted) : m_kept, m_kept);
      }) {
    QObject::connect(&m_slices, &QTimer::timeout, &m_slices, [this] { filterSlice(); });
}

void TableArranger::start(Arrangement arrangement) {
    cancel();
    m_wanted = std::move(arrangement);
    m_next = 0;
    m_kept.clear();
    m_slices.start(0);
}

void TableArranger::cancel() {
    m_slices.stop();
    m_sorting.cancel();
    m_wanted.reset();
}

void TableArranger::filterSlice() {
    QElapsedTimer clock;
    clock.start();
    if (!m_wanted->keep) {
        m_kept = std::move(m_wanted->kept);
        m_next = m_wanted->rows;
    }
    while (m_next < m_wanted->rows) {
        const std::uint32_t end = std::min(m_wanted->rows, m_next + kRowsBetweenClocks);
        for (; m_next < end; ++m_next) {
            if (m_wanted->keep(m_next)) {
                m_kept.push_back(m_next);
            }
        }
        if (clock.nsecsElapsed() > kSliceNs) {
            return;
        }
    }
    m_slices.stop();
    sortKept();
}

void TableArranger::sortKept() {
    const Arrangement wanted = *std::exchange(m_wanted, std::nullopt);
    if (!wanted.keys) {
        m_deliver(m_kept, m_kept);
        return;
    }
    m_sorting.start([rows = m_kept, keys = ownedKeys(wanted.keys()), order = wanted.order](
                        const std::stop_token&) mutable -> Result<std::vector<std::uint32_t>> {
        query::sortRows(rows, keys->keys, order);
        return std::move(rows);
    });
}

}  // namespace kinetoscope::models
