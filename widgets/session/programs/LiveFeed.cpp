// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/programs/LiveFeed.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "core/import/capture/LiveCapture.h"
#include "core/text/Format.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::session {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr Clock::duration kMinPause = 80ms;
constexpr int kPauseForSnapshot = 3;  // pause so many times as long as the last snapshot took
constexpr Clock::duration kLookAgain = 20ms;

std::uint64_t pageBytes() {
    return static_cast<std::uint64_t>(std::max(::sysconf(_SC_PAGESIZE), 1L));
}

std::uint64_t halfOfMemory() {
    return static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L)) / 2 * pageBytes();
}

// 0 if the system does not report it.
std::uint64_t memoryOfThisProcess() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    return file >> all >> resident ? resident * pageBytes() : 0;
}

}  // namespace

struct LiveFeed::Shared {
    Shared(std::string folder, std::uint64_t mostMemory)
        : capture(std::move(folder)), memoryLimit(mostMemory) {}

    // The worker's own.
    import::capture::LiveCapture capture;
    std::uint64_t memoryLimit;
    std::size_t shown = 0;  ///< slices of the last snapshot
    Clock::time_point due = Clock::now();
    // Set by the window.
    std::atomic<bool> ended{false};
};

LiveFeed::LiveFeed(QObject* parent)
    : QObject(parent),
      m_memoryLimit(halfOfMemory()),
      m_task([this](const Result<Delivery>& delivery) { deliver(delivery); }) {}

LiveFeed::~LiveFeed() = default;

void LiveFeed::start(const QString& folder) {
    m_shared = std::make_shared<Shared>(encodedPath(folder), m_memoryLimit);
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
        if (const std::uint64_t taken = memoryOfThisProcess();
            shared.memoryLimit > 0 && taken > shared.memoryLimit) {
            return fail(tr("its %1 events take %2 of memory, half of what there is; the recording "
                           "goes on, to be opened or cut when it has ended")
                            .arg(QString::number(shared.capture.slices()),
                                 QString::fromStdString(text::formatBytes(taken)))
                            .toStdString());
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
