// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/stat.h>

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/import/capture/LiveCapture.h"
#include "core/import/load/LoadTrace.h"
#include "core/stream/CaptureWriter.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::import::capture;
using namespace kinetoscope::stream;
using namespace kinetoscope::stream::format;
using namespace kinetoscope::trace;

namespace {

template <class Record>
std::string bytesOf(const Record& record) {
    return {reinterpret_cast<const char*>(&record), sizeof record};
}

std::string kernels(std::int64_t start, int count, std::uint32_t stream = 7) {
    std::string bytes;
    for (int i = 0; i < count; ++i) {
        auto record = makeRecord<KernelRecord>();
        record.start = start + 1000 * i;
        record.end = record.start + 500;
        record.stream = stream;
        record.name = 1;
        record.correlation = static_cast<std::uint32_t>(i + 1);
        bytes += bytesOf(record);
    }
    return bytes;
}

std::string header(int pid, int rank, std::int64_t realtime = 5'000'000'001'000) {
    return QStringLiteral(
               R"({"version": 1, "pid": %1, "program": "train", "host": "node7", "rank": %2,)"
               R"( "world_size": 2, "monotonic_ns": 1000, "realtime_ns": %3})")
        .arg(pid)
        .arg(rank)
        .arg(realtime)
        .toStdString();
}

std::string names() {
    const std::string text = "kernel";
    std::string entry = bytesOf(NameHeader{1, static_cast<std::uint32_t>(text.size())}) + text;
    entry.resize(padded(entry.size()));
    return entry;
}

std::string device(const char* uuid) {
    return std::string(R"({"id": 0, "name": "GPU", "numSms": 132, "uuid": ")") + uuid + "\"}";
}

bool begin(CaptureWriter& writer, const std::string& path, int pid, int rank, const char* uuid) {
    return writer.create(path, header(pid, rank)) && writer.append(ChunkType::Names, names()) &&
           writer.append(ChunkType::Device, device(uuid));
}

}  // namespace

class LiveCaptureTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string folder() const { return m_folder->path().toStdString(); }
    std::string path(const char* name) const { return folder() + "/" + name; }

    void makeCaptures(int count) const {
        for (int i = 0; i < count; ++i) {
            CaptureWriter writer;
            const std::string name = "good" + std::to_string(i) + ".kscope";
            QVERIFY(begin(writer, path(name.c_str()), 11 + i, -1, "aa"));
            QVERIFY(writer.append(ChunkType::Records, kernels(2000, 3)));
            QVERIFY(writer.finish("{}"));
        }
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void snapshotsGrowAndKeepTheirRows() {
        LiveCapture live(folder());
        QCOMPARE(live.poll(), 0U);
        CaptureWriter writer;
        QVERIFY(begin(writer, path("a.kscope"), 11, -1, "aa"));
        QVERIFY(writer.append(ChunkType::Records, kernels(2000, 10)));
        QVERIFY(live.poll() > 0);
        const auto first = live.snapshot();
        QCOMPARE(first->sliceCount(), 10U);
        QCOMPARE(first->info().devices.size(), 1U);
        QVERIFY(writer.append(ChunkType::Records, kernels(20'000, 5)));
        QVERIFY(live.poll() > 0);
        QCOMPARE(live.poll(), 0U);
        const auto second = live.snapshot();
        QCOMPARE(first->sliceCount(), 10U);  // what was handed out does not change
        QCOMPARE(second->sliceCount(), 15U);
        for (SliceId slice = 0; slice < first->sliceCount(); ++slice) {
            QCOMPARE(second->span(slice), first->span(slice));
            QCOMPARE(second->nameId(slice), first->nameId(slice));
            QCOMPARE(second->trackOf(slice), first->trackOf(slice));
        }
        QVERIFY(second->log().empty());
        QVERIFY(writer.finish("{}"));
        QVERIFY(live.poll() > 0);
        QVERIFY(live.finish()->log().empty());
    }

    // However the bytes arrive, in the end it is the trace of the whole file.
    void anyPieceOfAChunkMayArrive() {
        const std::string whole = path("whole.kscope");
        CaptureWriter writer;
        QVERIFY(begin(writer, whole, 11, -1, "aa"));
        QVERIFY(writer.append(ChunkType::Records, kernels(2000, 3)));
        QVERIFY(writer.append(ChunkType::Records, kernels(9000, 2)));
        QVERIFY(writer.finish("{}"));
        std::ifstream stream(whole, std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(stream), {});
        std::filesystem::create_directory(path("parts"));
        for (const std::size_t step : {1U, 7U, 100U}) {
            const std::string part = path("parts") + "/part.kscope";
            std::filesystem::remove(part);
            std::ofstream out(part, std::ios::binary);
            LiveCapture live(path("parts"));
            std::size_t slices = 0;
            for (std::size_t at = 0; at < bytes.size(); at += step) {
                out.write(bytes.data() + at,
                          static_cast<std::streamsize>(std::min(step, bytes.size() - at)));
                out.flush();
                live.poll();
                QVERIFY(live.slices() >= slices);
                slices = live.slices();
            }
            const auto trace = live.finish();
            QCOMPARE(trace->sliceCount(), 5U);
            QVERIFY(trace->log().empty());
        }
    }

    // What is kept can still be looked at, and what of the dropped time comes later stays away.
    void theOlderHalfMakesRoom() {
        LiveCapture live(folder());
        CaptureWriter writer;
        QVERIFY(begin(writer, path("a.kscope"), 11, -1, "aa"));
        QVERIFY(writer.append(ChunkType::Records, kernels(2'000, 10)));
        QVERIFY(live.poll() > 0);
        const auto whole = live.snapshot();
        QVERIFY(live.dropOlderHalf());
        QVERIFY(writer.append(ChunkType::Records, kernels(3'000, 2)));  // too late
        CaptureWriter second;
        QVERIFY(begin(second, path("b.kscope"), 12, -1, "bb"));
        QVERIFY(second.append(ChunkType::Records, kernels(4'000, 4)));  // the last one counts
        QVERIFY(live.poll() > 0);
        const auto rest = live.snapshot();
        QCOMPARE(rest->sliceCount(), 6U);
        for (SliceId slice = 0; slice < 5; ++slice) {
            QCOMPARE(rest->span(slice), whole->span(slice + 5));
            QCOMPARE(rest->nameId(slice), whole->nameId(slice + 5));
            QCOMPARE(rest->trackOf(slice), whole->trackOf(slice + 5));
            const auto text = rest->eventText()->event(rest->offset(slice));
            QVERIFY(text.has_value());
            QCOMPARE(*text, whole->eventText()->event(whole->offset(slice + 5)).value_or(""));
        }
        QCOMPARE(rest->extent().start, whole->start(5));
        QCOMPARE(rest->counts().droppedGpuOperations, 10U);
        const ImportIssue* issue = rest->log().find(kDroppedEvents);
        QVERIFY(issue != nullptr);
        QCOMPARE(issue->severity, Severity::DataLoss);
        QCOMPARE(issue->count, 10U);
        QVERIFY(writer.append(ChunkType::Records, kernels(2'000, 1)));
        QVERIFY(live.poll() > 0);
        QCOMPARE(live.finish()->log().find(kDroppedEvents)->count, 11U);
        QCOMPARE(loadTrace(folder()).value_or(nullptr)->sliceCount(), 17U);  // all of them
    }

    void processesStandBesideEachOther() {
        CaptureWriter first;
        CaptureWriter second;
        QVERIFY(begin(first, path("rank0.kscope"), 11, 0, "aa"));
        QVERIFY(begin(second, path("rank1.kscope"), 12, 1, "bb"));
        QVERIFY(first.append(ChunkType::Records, kernels(2000, 4)));
        QVERIFY(second.append(ChunkType::Records, kernels(2000, 6)));
        QVERIFY(first.finish("{}"));
        QVERIFY(second.finish("{}"));
        const auto trace = loadTrace(folder());
        QVERIFY2(trace.has_value(), trace ? "" : trace.error().message.c_str());
        // Each called its GPU 0; the serial numbers say that there are two.
        std::map<std::int32_t, int> count;
        for (const GpuOperation& operation : (*trace)->gpuOperations()) {
            ++count[operation.gpu];
            QCOMPARE(operation.stream, 7);
        }
        QCOMPARE(count, (std::map<std::int32_t, int>{{0, 4}, {1, 6}}));
        QCOMPARE((*trace)->info().devices.size(), 2U);
        QVERIFY(!(*trace)->info().distributed);
        std::set<std::int64_t> correlations;
        for (const GpuOperation& operation : (*trace)->gpuOperations()) {
            correlations.insert((*trace)->correlation(operation.slice));
            const auto text = (*trace)->eventText()->event((*trace)->offset(operation.slice));
            QVERIFY2(text.has_value(), text ? "" : text.error().message.c_str());
            QVERIFY(text->find("\"name\": \"kernel\"") != std::string::npos);
        }
        QCOMPARE(correlations.size(), 10U);
    }

    void eventsAreReadWhereverTheFileIsMoved() {
        CaptureWriter writer;
        QVERIFY(begin(writer, path("a.kscope"), 11, -1, "aa"));
        QVERIFY(writer.append(ChunkType::Records, kernels(2000, 2)));
        LiveCapture live(folder());
        live.poll();
        const auto trace = live.snapshot();
        std::filesystem::rename(path("a.kscope"), path("b"));
        QVERIFY(trace->eventText()->event(trace->offset(1)).has_value());
    }

    void damageIsSaidInTheEnd() {
        CaptureWriter writer;
        QVERIFY(begin(writer, path("a.kscope"), 11, -1, "aa"));
        QVERIFY(writer.append(ChunkType::Records, kernels(2000, 2)));
        std::ofstream(path("a.kscope"), std::ios::binary | std::ios::app) << std::string(64, '!');
        std::ofstream(path("later.kscope"), std::ios::binary)
            << kMagic << std::string("nothing of use");
        LiveCapture live(folder());
        live.poll();
        QVERIFY(live.snapshot()->log().empty());
        const auto trace = live.finish();
        QCOMPARE(trace->sliceCount(), 2U);
        QVERIFY(trace->log().find("capture_damaged") != nullptr);
    }

    // Links that lead nowhere, what is not a file, and what is none of ours: each by its name.
    void whatCannotBeReadIsNamedAndCounted() {
        makeCaptures(2);
        std::filesystem::create_symlink(path("nowhere"), path("link.kscope"));
        std::filesystem::create_directory(path("folder.kscope"));
        QCOMPARE(::mkfifo(path("pipe.kscope").c_str(), 0600), 0);
        std::ofstream(path("empty.kscope"));
        std::ofstream(path("other.kscope")) << "{\"traceEvents\": []}";
        const std::vector<std::string> bad{"link", "folder", "pipe", "empty", "other"};
        const auto trace = loadTrace(folder());
        QVERIFY2(trace.has_value(), trace ? "" : trace.error().message.c_str());
        QCOMPARE((*trace)->sliceCount(), 6U);
        const ImportIssue* issue = (*trace)->log().find("capture_unreadable");
        QVERIFY(issue != nullptr);
        QCOMPARE(issue->severity, Severity::DataLoss);
        QCOMPARE(issue->count, bad.size());
        for (const std::string& name : bad) {
            QVERIFY2(issue->example.find("/" + name + ".kscope'") != std::string::npos,
                     issue->example.c_str());
        }
        QCOMPARE(QString::fromStdString(issue->example).count(".kscope'"), 5);
        QVERIFY((*trace)->info().format.starts_with("2 "));
    }

    void compressedCapturesAreNamed() {
        makeCaptures(1);
        std::ofstream(path("a.kscope.gz"))
            << "\x1f\x8b\x08 and more bytes than a header of a capture has";
        std::ofstream(path("b.kscope.zst"))
            << "\x28\xb5\x2f\xfd and more bytes than a header of a capture has";
        std::ofstream(path("c.kscope"))
            << "\x1f\x8b\x08 and more bytes than a header of a capture has";
        const auto trace = loadTrace(folder());
        QVERIFY2(trace.has_value(), trace ? "" : trace.error().message.c_str());
        QCOMPARE((*trace)->sliceCount(), 3U);
        const ImportIssue* issue = (*trace)->log().find("capture_unreadable");
        QVERIFY(issue != nullptr);
        QCOMPARE(issue->count, 3U);
        QCOMPARE(QString::fromStdString(issue->example).count("it is compressed"), 3);
    }

    void aFolderOfWhichNothingCanBeReadIsRefused() {
        std::filesystem::create_symlink(path("nowhere"), path("link.kscope"));
        std::ofstream(path("empty.kscope"));
        const auto trace = loadTrace(folder());
        QVERIFY(!trace);
        for (const char* part : {"link.kscope", "empty.kscope", "none of its 2 captures"}) {
            QVERIFY2(trace.error().message.find(part) != std::string::npos,
                     trace.error().message.c_str());
        }
    }

    // Also those that grow, and what their events are asked for later.
    void aLimitOfOpenFilesDoesNotMatter() {
        constexpr int kCaptures = 300;
        constexpr rlim_t kOpenFiles = 128;
        makeCaptures(kCaptures);
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        const rlimit few{kOpenFiles, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &few), 0);
        const auto restored = qScopeGuard([&] { ::setrlimit(RLIMIT_NOFILE, &before); });
        LiveCapture live(folder());
        while (live.poll() > 0) {
        }
        for (const auto& trace : {loadTrace(folder()).value_or(nullptr), live.finish()}) {
            QVERIFY(trace != nullptr);
            QCOMPARE(trace->sliceCount(), 3U * kCaptures);
            QVERIFY(trace->log().empty());
            for (const GpuOperation& operation : trace->gpuOperations()) {
                QVERIFY(trace->eventText()->event(trace->offset(operation.slice)).has_value());
            }
        }
    }

    void capturesThatCannotBeOpenedYetAreTriedAgain() {
        std::filesystem::create_symlink(path("later"), path("link.kscope"));
        LiveCapture live(folder());
        QCOMPARE(live.poll(), 0U);
        CaptureWriter writer;
        QVERIFY(begin(writer, path("later"), 11, -1, "aa"));
        QVERIFY(writer.append(ChunkType::Records, kernels(2000, 4)));
        QVERIFY(writer.finish("{}"));
        QVERIFY(live.poll() > 0);
        const auto trace = live.finish();
        QCOMPARE(trace->sliceCount(), 4U);
        QVERIFY(trace->log().empty());
    }

    void aFolderWithoutCapturesIsRefused() {
        const auto trace = loadTrace(folder());
        QVERIFY(!trace);
        QVERIFY2(trace.error().message.find("directory") != std::string::npos,
                 trace.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(LiveCaptureTest)
#include "LiveCaptureTest.moc"
