// SPDX-License-Identifier: Apache-2.0
// Captures whose processes, GPUs and waits meet in one trace.
#include <fmt/format.h>

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "core/import/load/LoadTrace.h"
#include "tests/support/CaptureBytes.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::stream::format;
using namespace kinetoscope::trace;
using namespace kinetoscope::test;

namespace {

std::string header(int pid, int rank = -1, const char* host = "node7") {
    return QStringLiteral(
               R"({"version": 1, "pid": %1, "program": "train", "host": "%3", "rank": %2,)"
               R"( "world_size": 8, "monotonic_ns": 1000, "realtime_ns": 5000000001000})")
        .arg(pid)
        .arg(rank)
        .arg(host)
        .toStdString();
}

std::string gpu(int id, const char* uuid, const char* more = R"("numSms": 132)") {
    return QStringLiteral(R"({"id": %1, "name": "GPU", "uuid": "%2", %3})")
        .arg(id)
        .arg(uuid, more)
        .toStdString();
}

std::string kernel(std::uint32_t device, std::uint32_t correlation = 1) {
    auto record = makeRecord<KernelRecord>();
    record.device = device;
    record.start = 2200;
    record.end = 2700;
    record.stream = 7;
    record.name = 1;
    record.correlation = correlation;
    return bytesOf(record);
}

using Chunks = std::vector<std::pair<ChunkType, std::string>>;

std::string capture(const std::string& head, const Chunks& chunks) {
    CaptureBytes bytes;
    bytes.add(ChunkType::Header, head)
        .add(ChunkType::Names, nameEntry(1, "gemm") + nameEntry(2, "cudaLaunchKernel"));
    for (const auto& [type, payload] : chunks) {
        bytes.add(type, payload);
    }
    return bytes.add(ChunkType::Footer, "{}").bytes();
}

std::string capture(const std::string& head, const std::string& device,
                    const std::string& records) {
    return capture(head, {{ChunkType::Device, device}, {ChunkType::Records, records}});
}

}  // namespace

class CapturePlaceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string folder() const { return m_folder->path().toStdString(); }
    std::string store(const char* name, const std::string& bytes) const {
        std::ofstream(folder() + "/" + name, std::ios::binary | std::ios::trunc) << bytes;
        return folder() + "/" + name;
    }
    static std::shared_ptr<const Trace> load(const std::string& path) {
        auto trace = loadTrace(path);
        if (!trace) {
            qWarning("%s", trace.error().message.c_str());
        }
        return trace ? *trace : nullptr;
    }
    static TrackId trackOf(const Trace& trace, Category category, std::size_t number = 0) {
        for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
            if (trace.category(slice) == category && number-- == 0) {
                return trace.trackOf(slice);
            }
        }
        return std::numeric_limits<TrackId>::max();
    }
    static const Process& processOf(const Trace& trace, Category category) {
        return trace.processes()[trace.tracks()[trackOf(trace, category)].process];
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void recordsAreCounted();
};

void CapturePlaceTest::recordsAreCounted() {
    const std::string file =
        store("a.kscope", capture(header(4711), gpu(0, "aa"), kernel(0) + kernel(5000)));
    for (const std::string& path : {file, folder()}) {
        const auto trace = load(path);
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->log().events, 2U);
        QCOMPARE(trace->log().skipped, 1U);
    }
}

QTEST_APPLESS_MAIN(CapturePlaceTest)
#include "CapturePlaceTest.moc"
