// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/programs/LiveFeed.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "core/base/ProcessMemory.h"
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
// Dropping half of less frees some 20 MB: then it is others that take the memory.
constexpr std::size_t kMinSlicesToDrop = 100'000;

// Not counting what the allocator has left over.
bool hasMoreMemoryThan(std::uint64_t bytes) {
    if (residentMemory() <= bytes) {
        return false;
    }
    releaseFreeMemory();
    return residentMemory() > bytes;
}

}  // namespace

struct LiveFeed::Shared {
    Shared(std::string folder, std::uint64_t mostMemory)
        : capture(std::move(folder)), memoryLimit(mostMemory) {}

    // The window has its last snapshot until it gets the next one.
    [[nodiscard]] bool isFull() const {
        const auto next =
            static_cast<std::uint64_t>(snapshotBytes * static_cast<double>(capture.slices()));
        return memoryLimit > 0 && capture.slices() >= lookAgainAt &&
               (next >= memoryLimit || hasMoreMemoryThan(memoryLimit - next));
    }
    [[nodiscard]] bool makeRoom() {
        if (capture.slices() < kMinSlicesToDrop || !capture.dropOlderHalf()) {
            return false;
        }
        lookAgainAt = capture.slices() / 2 * 3;  // the last snapshot is still there
        shown = 0;
        due = Clock::now();
        return true;
    }
    [[nodiscard]] Delivery snapshot() {
        shown = capture.slices();
        const std::uint64_t before = residentMemory();
        const auto trace = capture.snapshot();
        Delivery made{trace, layOutTrace(trace, 1), false};
        const std::uint64_t after = std::max(residentMemory(), before);
        // Others take and free memory meanwhile.
        const double bytes = static_cast<double>(after - before) / static_cast<double>(shown);
        snapshotBytes = (snapshotBytes + bytes) / 2.0;
        handedOut.emplace_back(made.layout);
        handedOut.emplace_back(made.trace);
        return made;
    }
    // What the window has put aside is freed here: gigabytes of it would make it stand still.
    void freeOld() {
        std::erase_if(handedOut, [](const auto& one) { return one.use_count() == 1; });
    }
    [[nodiscard]] Delivery finish() {
        const auto trace = capture.finish();
        return {trace, layOutTrace(trace, 1), true};
    }

    // The worker's own.
    import::capture::LiveCapture capture;
    std::uint64_t memoryLimit;
    std::size_t lookAgainAt = 0;  ///< slices from which on memory is looked at
    std::size_t shown = 0;        ///< slices of the last snapshot
    double snapshotBytes = 0.0;   ///< for each slice
    std::vector<std::shared_ptr<const void>> handedOut;
    Clock::time_point due = Clock::now();
    // Set by the window.
    std::atomic<bool> ended{false};
};

LiveFeed::LiveFeed(QObject* parent)
    : QObject(parent),
      m_memoryLimit(machineMemory() / 2),
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
        shared.freeOld();
        const std::uint64_t got = shared.capture.poll(stop);
        if (ended && got == 0) {
            return shared.finish();
        }
        if (shared.isFull() && !shared.makeRoom()) {
            return fail(tr("Kinetoscope has %1 of memory, half of what there is; the recording "
                           "goes on, to be opened or cut when it has ended")
                            .arg(QString::fromStdString(text::formatBytes(residentMemory())))
                            .toStdString());
        }
        const auto begin = Clock::now();
        if (shared.capture.slices() > shared.shown && begin >= shared.due) {
            Delivery grown = shared.snapshot();
            const auto end = Clock::now();
            shared.due = end + std::max(kMinPause, kPauseForSnapshot * (end - begin));
            return grown;
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
