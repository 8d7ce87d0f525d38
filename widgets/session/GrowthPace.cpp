// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/GrowthPace.h"

#include <algorithm>

namespace kinetoscope::session {

namespace {

constexpr int kMinPauseMs = 200;
constexpr int kPauseForWork = 2;  // pause so many times as long as the work took

}  // namespace

GrowthPace::GrowthPace(QObject* parent) : QObject(parent) {
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &GrowthPace::due);
}

void GrowthPace::grow() {
    m_behind = true;
    if (!m_making && !m_pause.isActive()) {
        emit due();
    }
}

void GrowthPace::begin() {
    rest();
    m_making = true;
    m_clock.start();
}

void GrowthPace::end() {
    m_making = false;
    if (m_behind) {
        m_pause.start(std::max(kMinPauseMs, kPauseForWork * static_cast<int>(m_clock.elapsed())));
    }
}

void GrowthPace::rest() {
    m_making = false;
    m_behind = false;
    m_pause.stop();
}

}  // namespace kinetoscope::session
