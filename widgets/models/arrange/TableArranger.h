// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDeadlineTimer>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "core/query/RowOrder.h"
#include "widgets/models/arrange/RowKeys.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::models {

/// The requested view of a table of many rows: which of them, in which order.
struct Arrangement {
    std::uint32_t rows = 0;                        ///< of the source
    std::function<bool(std::uint32_t)> keep = {};  ///< empty: `kept` are known
    std::vector<std::uint32_t> kept = {};          ///< in the order of the source
    /// Empty: in the order of the source.
    std::function<query::SortKey(std::uint32_t)> key = {};
    query::SortOrder order = query::SortOrder::Ascending;
};

/// Arranges rows without blocking the window: they are filtered, and their keys read, a few
/// milliseconds at a time between two events, because rows belong to the GUI thread; a worker sorts
/// by the keys. GUI thread.
class TableArranger final {
public:
    /// Gets the shown rows, and what of them is filtered in the order of the source.
    using Deliver =
        std::function<void(std::vector<std::uint32_t> shown, std::vector<std::uint32_t> kept)>;

    explicit TableArranger(Deliver deliver);

    /// Drops earlier requests.
    void start(Arrangement arrangement);
    void cancel();
    [[nodiscard]] bool busy() const { return m_wanted.has_value() || m_sorting.busy(); }

private:
    void arrangeSlice();
    [[nodiscard]] bool filterFor(const QDeadlineTimer& end);
    [[nodiscard]] bool readKeysFor(const QDeadlineTimer& end);
    void sortKept();

    Deliver m_deliver;
    std::optional<Arrangement> m_wanted;
    std::uint32_t m_next = 0;  ///< the row that is filtered next
    std::vector<std::uint32_t> m_kept;
    RowKeys m_keys;  ///< of the first of m_kept
    QTimer m_slices;
    session::LatestTask<std::vector<std::uint32_t>> m_sorting;
};

}  // namespace kinetoscope::models
