// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/programs/LiveFeed.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/import/capture/LiveCapture.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::session {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr Clock::duration kMinPause = 80ms;
constexpr int kPauseForSnapshot = 3;  // pause so many times as long as the last snapshot took
constexpr Clock::duration kLookAgain = 20ms;

}  // namespace

struct LiveFeed::Shared {
    explicit Shared(std::string folder) : capture(std::move(folder)) {}

    // The worker's own.
    import::capture::LiveCapture capture;
    std::size_t shown = 0;  ///< slices of the last snapshot
    Clock::time_point due = Clock::now();
    // Set by the window.
    std::atomic<bool> ended{false};
};

LiveFeed::LiveFeed(QObject* parent)
    : QObject(parent), m_task([this](const Result<Delivery>& delivery) { deliver(delivery); }) {}

LiveFeed::~LiveFeed() = default;

void LiveFeed::start(const QString& folder) {
    m_shared = std::make_shared<Shared>(encodedPath(folder));
    next();
}

void LiveFeed::finish() {
    if (m_shared) {
        m_shared->ended = true;
    }
}

void LiveFeed::cancel() {
    m_task.cancel();
    m_shared.reset();
}

void LiveFeed::next() {
    m_task.start([shared = m_shared](const std::stop_token& stop) { return work(*shared, stop); });
}

Result<LiveFeed::Delivery> LiveFeed::work(Shared& shared, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const bool ended = shared.ended;
        const std::uint64_t got = shared.capture.poll(stop);
        if (ended && got == 0) {
            const auto trace = shared.capture.finish();
            return Delivery{trace, layOutTrace(trace, 1), true};
        }
        const auto begin = Clock::now();
        if (shared.capture.slices() > shared.shown && begin >= shared.due) {
            shared.shown = shared.capture.slices();
            const auto trace = shared.capture.snapshot();
            Delivery delivery{trace, layOutTrace(trace, 1), false};
            const auto end = Clock::now();
            shared.due = end + std::max(kMinPause, kPauseForSnapshot * (end - begin));
            return delivery;
        }
        if (got == 0) {
            std::this_thread::sleep_for(kLookAgain);
        }
    }
    return Delivery{};
}

void LiveFeed::deliver(const Result<Delivery>& delivery) {
    if (!delivery) {
        m_shared.reset();
        emit failed(QString::fromStdString(delivery.error().message));
    } else if (delivery->last) {
        m_shared.reset();
        emit finished(delivery->trace, delivery->layout);
    } else {
        emit grown(delivery->trace, delivery->layout);
        if (m_shared) {
            next();
        }
    }
}

}  // namespace kinetoscope::session
