// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/RoofStrips.h"

#include <algorithm>
#include <utility>

#include "widgets/session/ViewState.h"

namespace kinetoscope::plots {

RoofStrips::RoofStrips(session::ViewState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_finder(session::AchievedFinder::of(state)),
      m_task([this](Result<Found> found) {
          m_found = found ? std::make_shared<const Found>(*std::move(found)) : nullptr;
          emit changed();
      }) {
    connect(&state, &session::ViewState::traceChanged, this, &RoofStrips::forget);
    connect(&state, &session::ViewState::traceGrown, this, &RoofStrips::forget);
    connect(&m_finder, &session::AchievedFinder::roofChanged, this, &RoofStrips::restart);
    restart();
}

std::shared_ptr<const model::RoofColumns> RoofStrips::of(std::int32_t gpu) const {
    if (!m_found) {
        return nullptr;
    }
    const auto one = std::ranges::find(*m_found, gpu, &model::RoofColumns::gpu);
    return one == m_found->end() ? nullptr
                                 : std::shared_ptr<const model::RoofColumns>(m_found, &*one);
}

// Those of the roof before stay until others are there.
void RoofStrips::restart() {
    const auto trace = m_state.trace();
    if (!trace || !trace->isComplete()) {
        m_task.cancel();
        return;
    }
    m_task.start([trace, calls = m_finder.calls(),
                  roof = m_finder.roof()](const std::stop_token& stop) -> Result<Found> {
        return calls->of(*trace, {}, stop).map([&](const session::SharedCalls::Calls& all) {
            return model::roofColumns(*trace, *all, session::roofsOf(roof));
        });
    });
}

void RoofStrips::forget() {
    m_found.reset();
    restart();
}

}  // namespace kinetoscope::plots
