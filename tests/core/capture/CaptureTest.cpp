// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "core/capture/RecordOptions.h"
#include "core/capture/SessionText.h"
#include "core/capture/inject/ActivityConverter.h"
#include "core/capture/inject/BoundedQueue.h"
#include "core/stream/CaptureEvent.h"

using namespace kinetoscope;
using namespace kinetoscope::capture;
using namespace kinetoscope::capture::cupti;
using namespace kinetoscope::capture::inject;
using namespace kinetoscope::stream;
using namespace kinetoscope::stream::format;

namespace {

ConverterServices services() {
    ConverterServices result;
    result.callbackName = [](std::uint32_t domain, std::uint32_t callback) -> const char* {
        if (domain == kDomainDriver) {
            return "cuMemAlloc_v2";
        }
        return callback == 211 ? "cudaLaunchKernel_v7000" : "cudaStreamSynchronize_v3020";
    };
    result.threadName = [](std::uint32_t) { return std::string("python"); };
    return result;
}

// The first record of a type among the converter's bytes.
template <class Record>
std::vector<Record> recordsOf(const std::string& bytes) {
    std::vector<Record> found;
    for (std::string_view rest = bytes; !rest.empty();) {
        const auto header = recordOf<RecordHeader>(rest);
        if (header.type == static_cast<std::uint16_t>(Record::kType)) {
            found.push_back(recordOf<Record>(rest));
        }
        rest.remove_prefix(header.size);
    }
    return found;
}

template <class Activity>
void convert(ActivityConverter& converter, const Activity& activity) {
    converter.convert(reinterpret_cast<const cupti::Activity*>(&activity));
}

}  // namespace

class CaptureTest : public QObject {
    Q_OBJECT

private slots:
    void kernelsOfBothVersions_data() {
        QTest::addColumn<unsigned>("version");
        QTest::newRow("CUDA 12.6") << 24U;
        QTest::newRow("CUDA 13.0") << 130001U;
    }
    void kernelsOfBothVersions() {
        QFETCH(unsigned, version);
        // A record as raw bytes at the offsets of CUPTI's own structure.
        alignas(8) std::array<unsigned char, 216> bytes{};
        const auto put = [&](std::size_t offset, auto value) {
            std::memcpy(bytes.data() + offset, &value, sizeof value);
        };
        const char* name = "_Z9addKernelPfS_i";
        put(0, 10U);
        put(6, std::uint16_t{48});
        put(16, std::uint64_t{1000});
        put(24, std::uint64_t{2500});
        put(40, 1U);
        put(48, 13U);
        put(52, 264);
        put(64, 128);
        put(76, 16);
        put(80, 32);
        put(92, 77U);
        put(104, name);
        put(144, std::uint64_t{5});
        put(156, 9U);
        put(176, 2U);
        ActivityConverter converter(version, services());
        converter.convert(reinterpret_cast<const Activity*>(bytes.data()));
        const auto kernels = recordsOf<KernelRecord>(converter.takeRecords());
        QCOMPARE(kernels.size(), 1U);
        const KernelRecord& kernel = kernels.front();
        QCOMPARE(kernel.end - kernel.start, 1500);
        QCOMPARE(kernel.device, 1U);
        QCOMPARE(kernel.stream, 13U);
        QCOMPARE(kernel.grid[0], 264U);
        QCOMPARE(kernel.block[0], 128U);
        QCOMPARE(kernel.staticShared + kernel.dynamicShared, 48U);
        QCOMPARE(kernel.registers, 48U);
        QCOMPARE(kernel.correlation, 77U);
        QCOMPARE(kernel.graph, 9U);
        QCOMPARE(kernel.graphNode, 5U);
        QCOMPARE(kernel.cluster[0], 2U);
        QVERIFY(converter.takeNames().find("addKernel(float*, float*, int)") != std::string::npos);
    }

    void eventTimesAreReadOnlyWhereTheyExist() {
        CudaEvent event;
        event.kind = Kind::CudaEvent;
        event.deviceTime = 1234;
        for (const auto& [version, expected] : {std::pair{24U, 0}, std::pair{26U, 1234}}) {
            ActivityConverter converter(version, services());
            convert(converter, event);
            QCOMPARE(recordsOf<CudaEventRecord>(converter.takeRecords()).at(0).time, expected);
        }
    }

    void callsAreNamedAsKinetoNamesThem() {
        ActivityConverter converter(130001, services());
        Api api;
        api.kind = Kind::Runtime;
        api.callback = 211;
        api.threadId = 42;
        convert(converter, api);
        api.callback = 1;
        convert(converter, api);
        api.kind = Kind::Driver;
        convert(converter, api);
        const std::string records = converter.takeRecords();
        const auto calls = recordsOf<ApiRecord>(records);
        QCOMPARE(calls.size(), 3U);
        QVERIFY(calls[0].launches == 1 && calls[1].launches == 0 && calls[2].driver == 1);
        QCOMPARE(recordsOf<ThreadNameRecord>(records).size(), 1U);
        const std::string names = converter.takeNames();
        QVERIFY(names.find("cudaLaunchKernel_v7000") == std::string::npos);
        QVERIFY(names.find("cudaLaunchKernel") != std::string::npos);
        QVERIFY(names.find("cuMemAlloc_v2") != std::string::npos);
    }

    // A CUPTI attached late reports no devices; whatever runs on one first makes it known.
    void anyWorkMakesItsGpuKnown() {
        ConverterServices some = services();
        some.findDevice = [](std::uint32_t id, Device& device) {
            device.id = id;
            return true;
        };
        ActivityConverter converter(130001, std::move(some));
        MemcpyPeer copy;
        copy.kind = Kind::MemcpyPeer;
        copy.deviceId = 3;
        copy.contextId = 5;
        copy.sourceDeviceId = 3;
        copy.targetDeviceId = 4;
        convert(converter, copy);
        const auto devices = converter.takeDevices();
        QCOMPARE(devices.size(), 2U);
        QVERIFY(devices[0].starts_with("{\"id\": 3,"));
        QVERIFY(devices[1].starts_with("{\"id\": 4,"));
    }

    void unwantedKernelsAreLeftOut() {
        ConverterServices some = services();
        some.wantsKernel = [](const std::string& name) { return name.starts_with("wanted"); };
        ActivityConverter converter(130001, std::move(some));
        Kernel kernel;
        kernel.kind = Kind::ConcurrentKernel;
        kernel.name = "wanted_kernel";
        convert(converter, kernel);
        kernel.name = "other_kernel";
        convert(converter, kernel);
        QCOMPARE(recordsOf<KernelRecord>(converter.takeRecords()).size(), 1U);
    }

    // CUPTI may reuse the memory of a name once a module is gone.
    void namesAreComparedAndNotOnlyTheirAddress() {
        ActivityConverter converter(130001, services());
        char name[] = "first";
        Kernel kernel;
        kernel.kind = Kind::ConcurrentKernel;
        kernel.name = name;
        convert(converter, kernel);
        std::memcpy(name, "other", 5);
        convert(converter, kernel);
        const auto kernels = recordsOf<KernelRecord>(converter.takeRecords());
        QVERIFY(kernels.at(0).name != kernels.at(1).name);
    }

    void waitsGetTheDeviceOfTheirContext() {
        ActivityConverter converter(130001, services());
        Context context;
        context.kind = Kind::Context;
        context.contextId = 3;
        context.deviceId = 2;
        convert(converter, context);
        Synchronization wait;
        wait.kind = Kind::Synchronization;
        wait.contextId = 3;
        convert(converter, wait);
        wait.contextId = 4;
        convert(converter, wait);
        const auto waits = recordsOf<SynchronizationRecord>(converter.takeRecords());
        QCOMPARE(waits.at(0).device, 2U);
        QCOMPARE(waits.at(1).device, kNone);
    }

    void unknownKindsAreCounted() {
        ActivityConverter converter(130001, services());
        Activity odd;
        odd.kind = static_cast<Kind>(30);
        converter.convert(&odd);
        QCOMPARE(converter.unknownRecords(), 1U);
        QVERIFY(converter.takeRecords().empty());
    }

    void queueKeepsEverythingOfManyThreads() {
        auto queue = std::make_unique<BoundedQueue<unsigned, 64>>();
        constexpr unsigned kEach = 20000;
        std::atomic<unsigned long> sum{0};
        std::vector<std::thread> threads;
        for (unsigned producer = 0; producer < 2; ++producer) {
            threads.emplace_back([&] {
                for (unsigned i = 1; i <= kEach; ++i) {
                    while (!queue->push(i)) {
                        std::this_thread::yield();
                    }
                }
            });
        }
        for (unsigned taken = 0; taken < 2 * kEach;) {
            unsigned value = 0;
            if (queue->pop(value)) {
                sum += value;
                ++taken;
            } else {
                std::this_thread::yield();
            }
        }
        for (auto& thread : threads) {
            thread.join();
        }
        QCOMPARE(sum.load(), static_cast<unsigned long>(kEach) * (kEach + 1));
        unsigned value = 0;
        QVERIFY(!queue->pop(value));
    }

    void fullQueueRefuses() {
        BoundedQueue<int, 4> queue;
        for (int i = 0; i < 4; ++i) {
            QVERIFY(queue.push(i));
        }
        QVERIFY(!queue.push(4));
        int value = -1;
        QVERIFY(queue.pop(value));
        QCOMPARE(value, 0);
        QVERIFY(queue.push(4));
    }

    void textsKeepTheirCharacters() {
        const std::string note =
            noteText("\"µ\"", "40 µs 😀 \xb5 \xe2\x82 \xed\xa0\x80\n", 1, true);
        const auto json = nlohmann::json::parse(note);  // throws unless all of it is UTF-8
        QCOMPARE(json.at("name").get<std::string>(), "\"µ\"");
        // What is no UTF-8 survives as Latin-1.
        QCOMPARE(json.at("text").get<std::string>(),
                 "40 µs 😀 µ \u00e2\u0082 \u00ed\u00a0\u0080\n");
    }

    void ranksOfLaunchersAreRead() {
        for (const char* name : {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
            QCOMPARE(ranksFromEnvironment().rank, -1);
            ::setenv(name, "5", 1);
            QCOMPARE(ranksFromEnvironment().rank, 5);
            ::unsetenv(name);
        }
    }

    void optionsSurviveTheEnvironment() {
        RecordOptions options;
        options.folder = "/some where";
        options.level = 4;
        options.paused = true;
        options.delayMs = 1500;
        options.durationMs = 20;
        options.mostBytes = 1ULL << 40;
        options.kernel = "^gemm.*";
        options.range = "step 3";
        options.control = "/tmp/x/control.sock";
        optionsToEnvironment(options, "/lib/x.so");
        const RecordOptions read = optionsFromEnvironment();
        QCOMPARE(read.folder, options.folder);
        QCOMPARE(read.level, options.level);
        QCOMPARE(read.paused, options.paused);
        QCOMPARE(read.delayMs, options.delayMs);
        QCOMPARE(read.durationMs, options.durationMs);
        QCOMPARE(read.mostBytes, options.mostBytes);
        QCOMPARE(read.kernel, options.kernel);
        QCOMPARE(read.range, options.range);
        QCOMPARE(read.control, options.control);
        QCOMPARE(qgetenv("CUDA_INJECTION64_PATH"), QByteArray("/lib/x.so"));
    }
};

QTEST_APPLESS_MAIN(CaptureTest)
#include "CaptureTest.moc"
