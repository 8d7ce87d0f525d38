// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "core/model/RoofColumns.h"
#include "widgets/session/AchievedFinder.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::plots {

/// The GPUs' rates relative to their roofs over the shown trace, computed on a worker once the
/// whole file is read. GUI thread.
class RoofStrips final : public QObject {
    Q_OBJECT

public:
    explicit RoofStrips(session::ViewState& state, QObject* parent = nullptr);

    /// Null where the GPU has none, or it is not found yet.
    [[nodiscard]] std::shared_ptr<const model::RoofColumns> of(std::int32_t gpu) const;
    [[nodiscard]] bool isEmpty() const { return !m_found || m_found->empty(); }
    [[nodiscard]] bool busy() const { return m_task.busy(); }

signals:
    void changed();

private:
    using Found = std::vector<model::RoofColumns>;

    void restart();
    void forget();

    session::ViewState& m_state;
    session::AchievedFinder& m_finder;
    std::shared_ptr<const Found> m_found;
    session::LatestTask<Found> m_task;
};

}  // namespace kinetoscope::plots
