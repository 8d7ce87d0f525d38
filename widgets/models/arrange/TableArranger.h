// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "core/query/RowOrder.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::models {

/// What a table of many rows is to be: which of them, in which order.
struct Arrangement {
    std::uint32_t rows = 0;                        ///< of the source
    std::function<bool(std::uint32_t)> keep = {};  ///< empty: `kept` are known
    std::vector<std::uint32_t> kept = {};          ///< in the order of the source
    std::function<query::ColumnKeys()> keys = {};  ///< empty: in the order of the source
    query::SortOrder order = query::SortOrder::Ascending;
};

/// Arranges rows without a pause of the window: they are filtered a few milliseconds at a time
/// between two events, because rows may be asked for by the GUI thread alone, and sorted by a
/// worker from keys of its own. GUI thread.
class TableArranger final {
public:
    /// Gets the shown rows, and what of them is filtered in the order of the source.
    using Deliver =
        std::function<void(std::vector<std::uint32_t> shown, std::vector<std::uint32_t> kept)>;

    explicit TableArranger(Deliver deliver);

    /// Forgets what was asked for before.
    void start(Arrangement arrangement);
    void cancel();
    [[nodiscard]] bool busy() const { return m_wanted.has_value() || m_sorting.busy(); }

private:
    void filterSlice();
    void sortKept();

    Deliver m_deliver;
    std::optional<Arrangement> m_wanted;
    std::uint32_t m_next = 0;
    std::vector<std::uint32_t> m_kept;
    QTimer m_slices;
    session::LatestTask<std::vector<std::uint32_t>> m_sorting;
};

}  // namespace kinetoscope::models
