// SPDX-License-Identifier: GPL-3.0-or-later
// Time of a frame while panning and zooming the timeline of 1,024 ranks, and until something is
// seen of a job whose partials are opened, and all of it.
#include <fmt/format.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "core/ranks/Job.h"
#include "core/ranks/view/ShownJob.h"
#include "tests/bench/WindowBench.h"
#include "widgets/job/JobLoader.h"
#include "widgets/job/JobPreview.h"
#include "widgets/job/JobView.h"

namespace kinetoscope {
namespace {

constexpr std::int64_t kRanks = 1024;
constexpr int kSteps = 20;
constexpr int kBuckets = 24;   // collectives of a step
constexpr int kKernels = 100;  // between two collectives
constexpr TimeNs kKernelNs = 4'000;
constexpr TimeNs kGapNs = 1'000;
constexpr int kFrames = 200;

/// A rank whose kernels and collectives follow each other; every rank is late by another time.
ranks::RankRecord makeRank(std::int64_t rank) {
    ranks::RankRecord record;
    record.rank = rank;
    record.worldSize = kRanks;
    record.host = fmt::format("host{}", rank / 8);
    record.file = fmt::format("rank{}.json", rank);
    record.groups.push_back({.name = "0", .description = {}, .members = {}, .size = kRanks});
    TimeNs time = 0;
    TimeNs ready = 0;
    for (int step = 1; step <= kSteps; ++step) {
        const TimeNs begin = time;
        for (int bucket = 0; bucket < kBuckets; ++bucket) {
            for (int kernel = 0; kernel < kKernels; ++kernel) {
                record.work.starts.append(time);
                record.work.runs.append(time, ranks::WorkKind::Compute, kKernelNs);
                record.work.runs.append(time, ranks::WorkKind::Host, kGapNs);
                time += kKernelNs + kGapNs;
            }
            const TimeNs arrived = time + (rank * 7919 + bucket * 104'729) % 20'000;
            ranks::CollectiveCall call;
            call.span = {arrived, time + 60'000};
            call.launched = time - kKernelNs;
            call.step = step;
            call.launchedInStep = step;
            call.kind = "allreduce";
            call.type = "BFloat16";
            call.inElements = call.outElements = 1 << 20;
            call.bytes = 2U << 20U;
            call.sequence = step * kBuckets + bucket;
            record.work.runs.append(time, ranks::WorkKind::Wait, 60'000);
            record.segments.push_back(
                {.own = {ready, arrived},
                 .release = record.collectives.empty() ? 0 : record.collectives.back().span.end,
                 .waitedNs = 0,
                 .firstOperation = record.work.starts.size() - kKernels,
                 .before = std::ssize(record.collectives) - 1});
            record.collectives.push_back(call);
            record.kernels.emplace_back();
            ready = arrived;
            time += 60'000;
        }
        ranks::RankStep one;
        one.number = step;
        one.span = {begin, time};
        record.steps.push_back(one);
    }
    record.segments.push_back({});
    record.kernels.emplace_back();
    record.extent = record.gpuSpan = {0, time};
    return record;
}

/// Put together by hand: how long it takes to find causes is not asked here.
ranks::Job makeJob() {
    ranks::Job job;
    job.worldSize = kRanks;
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
        job.records.push_back(makeRank(rank));
    }
    job.clocks.resize(job.records.size());
    for (std::uint32_t call = 0; call < kSteps * kBuckets; ++call) {
        ranks::Collective collective{
            .group = "0", .kind = "allreduce", .bytes = 2U << 20U, .members = {}};
        for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
            collective.members.push_back({rank, call});
        }
        job.matching.collectives.push_back(std::move(collective));
    }
    job.waits = ranks::measureWaiting(job.records, job.matching, job.clocks);
    for (const ranks::RankStep& step : job.records.front().steps) {
        ranks::JobStep one;
        one.number = step.number;
        one.lengthNs.assign(job.records.size(), step.span.duration());
        job.steps.push_back(std::move(one));
    }
    return job;
}

/// In and out again with pans, and rows that scroll by.
bench::Frames measure(job::JobView& view) {
    bench::Frames frames;
    for (int step = 0; step < kFrames; ++step) {
        frames.time([&] {
            const TimeSpan visible = view.state().visible();
            if (step % 2 == 0) {
                view.state().zoom(step < kFrames / 2 ? 0.75 : 1 / 0.75,
                                  visible.start + visible.duration() / 10 * (1 + step % 9));
            } else {
                view.state().pan(visible.duration() / 12 * (step % 4 == 1 ? 1 : -1));
            }
            if (step % 10 == 0) {
                view.timeline().revealRank(static_cast<std::size_t>(step * 97 % kRanks));
            }
            view.timeline().viewport()->repaint();
            return true;
        });
    }
    frames.sort();
    return frames;
}

/// Milliseconds from opening partials to the first picture of their job, and to the whole one.
struct Opening {
    qint64 firstMs = -1;
    qint64 wholeMs = -1;
};

Opening openPartials() {
    const QTemporaryDir folder;
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
        ranks::Partial partial;
        partial.records.push_back(makeRank(rank));
        const QString path = folder.filePath(QStringLiteral("rank%1.ranks").arg(rank));
        if (!ranks::writePartial(path.toStdString(), std::move(partial))) {
            fmt::print(stderr, "job_frame_time: '{}': cannot be written\n", path.toStdString());
            std::exit(EXIT_FAILURE);
        }
    }
    Opening opening;
    QElapsedTimer timer;
    std::unique_ptr<job::JobPage> page;
    const auto show = [&](job::JobPage* made) {
        page.reset(made);
        page->resize(1920, 1080);
        page->show();
        page->grab();
        opening.firstMs = opening.firstMs < 0 ? timer.elapsed() : opening.firstMs;
    };
    job::JobLoader loader;
    QObject::connect(&loader, &job::JobLoader::previewed,
                     [&](const QStringList&, const job::JobLoader::Shown& shown, qint64 files) {
                         show(new job::JobPreview(shown, files));
                     });
    QObject::connect(&loader, &job::JobLoader::loaded,
                     [&](const QStringList&, const job::JobLoader::Shown& shown) {
                         show(new job::JobView(shown));
                         opening.wholeMs = timer.elapsed();
                     });
    timer.start();
    loader.open({folder.path()});
    while (loader.isLoading()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return opening;
}

int run() {
    const Opening opening = openPartials();
    job::JobView view(ranks::view::showJob(makeJob()));
    view.resize(1920, 1080);
    view.show();
    QCoreApplication::processEvents();
    view.grab();
    const bench::Frames frames = measure(view);
    fmt::print(
        "{} ranks, {}; of partials the first picture after {} ms, the whole one after {} ms\n",
        kRanks, frames.words(), opening.firstMs, opening.wholeMs);
    fmt::print(
        R"({{"benchmark": "job_frame_time", "ranks": {}, {}, "first_ms": {}, "whole_ms": {}}})"
        "\n",
        kRanks, frames.json(), opening.firstMs, opening.wholeMs);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace kinetoscope

int main(int argc, char** argv) {
    return kinetoscope::bench::runInWindow(argc, argv, kinetoscope::run);
}
