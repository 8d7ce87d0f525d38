// SPDX-License-Identifier: Apache-2.0
// Snapshots of the allocator: a recorded one to the byte, made ones, and damage.
// KINETOSCOPE_MUTATIONS says how many damaged ones.
#include <fmt/format.h>

#include <QtTest>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "core/base/Threads.h"
#include "core/memory/AddressTable.h"
#include "core/memory/CompareMemory.h"
#include "core/memory/MemoryText.h"
#include "core/memory/ReadSnapshot.h"
#include "core/memory/SnapshotDevice.h"
#include "core/pickle/ReadPickle.h"
#include "tests/support/Mutator.h"

using namespace kinetoscope;
using namespace kinetoscope::memory;
using pickle::Document;
using pickle::Kind;
using pickle::Value;

namespace {

const std::string kRecorded = KINETOSCOPE_SOURCE_DIR "/tests/data/memory/memory_snapshot.pickle";

// A document written step by step, as a pickle gives it.
class Writer {
public:
    using Members = std::vector<std::pair<const char*, Value>>;

    Value text(std::string_view text) { return m_document.addText(Kind::Text, text); }
    Value number(std::int64_t number) { return m_document.addInt(number); }
    Value list(const std::vector<Value>& values) {
        return m_document.addSequence(Kind::List, values);
    }
    Value dict(const Members& members) {
        const Value made = m_document.addDict();
        std::vector<Value> items;
        for (const auto& [key, value] : members) {
            items.push_back(text(key));
            items.push_back(value);
        }
        m_document.setItems(made, items);
        return made;
    }
    Value frame(const char* file, int line, const char* function) {
        return dict({{"name", text(function)}, {"filename", text(file)}, {"line", number(line)}});
    }
    Value event(const char* action, std::int64_t address, std::int64_t size, std::int64_t time,
                const std::vector<Value>& frames = {}) {
        return dict({{"action", text(action)},
                     {"addr", number(address)},
                     {"size", number(size)},
                     {"time_us", number(time)},
                     {"frames", list(frames)}});
    }
    Value block(std::int64_t address, std::int64_t size, const char* state) {
        return dict({{"address", number(address)},
                     {"size", number(size)},
                     {"state", text(state)},
                     {"frames", list({})}});
    }
    Value segment(std::int64_t address, std::int64_t total, const std::vector<Value>& blocks) {
        return dict({{"device", number(0)},
                     {"address", number(address)},
                     {"total_size", number(total)},
                     {"segment_type", text("large")},
                     {"blocks", list(blocks)}});
    }
    Result<History> history(const std::vector<Value>& events, const std::vector<Value>& segments) {
        m_document.setRoot(
            dict({{"segments", list(segments)}, {"device_traces", list({list(events)})}}),
            1'000'000);
        return historyOf(m_document);
    }

private:
    Document m_document;
};

std::string recordedBytes() {
    std::ifstream file(kRecorded, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

constexpr std::int64_t kMiB = 1 << 20;

}  // namespace

class SnapshotTest : public QObject {
    Q_OBJECT

private slots:
    void recordedToTheByte() {
        auto history = readSnapshot(kRecorded);
        QVERIFY2(history, history ? "" : history.error().message.c_str());
        const MemoryReport report = reportOf(std::move(*history));
        QCOMPARE(report.devices.size(), std::size_t{1});
        const DeviceReport& device = report.devices[0];
        // memory_facts.json, by torch.cuda.memory_allocated() and its kin
        QCOMPARE(device.allocated, 349'224'960);
        QCOMPARE(device.reserved, 369'098'752);
        QCOMPARE(device.peakAllocated, 361'840'640);
        std::vector<std::int64_t> first;
        for (std::size_t i = 0; i < 5; ++i) {
            const Block& block = report.device(device).blocks[device.neverFreed[i]];
            first.push_back(block.bytes);
            const Place& place = report.history.places[block.place];
            QCOMPARE(report.history.name(place.line), std::string_view("single.py:81 memory"));
            QCOMPARE(report.history.name(place.operation),
                     std::string_view("aten::empty_memory_format"));
        }
        QCOMPARE(first,
                 (std::vector<std::int64_t>{20 * kMiB, 16 * kMiB, 12 * kMiB, 8 * kMiB, 4 * kMiB}));
        std::int64_t told = 0;
        for (const PlaceSum& sum : device.atPeak) {
            told += sum.bytes;
        }
        QCOMPARE(told, device.peakAllocated);
        std::int64_t segments = 0;
        for (const SegmentSums& sums : report.device(device).segments) {
            segments += sums.bytes;
        }
        QCOMPARE(segments, device.reserved);
    }

    void peakAndWhatHeldIt() {
        Writer w;
        const auto train = w.frame("/home/u/train.py", 7, "step");
        const auto module = w.frame("/x/site-packages/torch/nn/modules/linear.py", 125, "forward");
        const auto engine = w.frame("??", 0, "torch::autograd::Engine::thread_main()");
        auto history = w.history({w.event("segment_alloc", 4096, 20 * kMiB, 9),
                                  w.event("alloc", 4096, 2 * kMiB, 10, {module, train}),
                                  w.event("alloc", 9'000'000, 700, 11, {engine}),
                                  w.event("free_requested", 9'000'000, 700, 12),
                                  w.event("free_completed", 9'000'000, 700, 12),
                                  w.event("free_requested", 77, 4 * kMiB, 13),
                                  w.event("free_completed", 77, 4 * kMiB, 13),
                                  w.event("alloc", 9'000'000, 1, 14, {engine})},
                                 {w.segment(4096, 20 * kMiB,
                                            {w.block(4096, 2 * kMiB, "active_allocated"),
                                             w.block(9'000'000, 512, "active_allocated"),
                                             w.block(9'500'000, 18 * kMiB - 512, "inactive")}),
                                  w.segment(1, 32 * kMiB,
                                            {w.block(1, 30 * kMiB, "active_allocated"),
                                             w.block(2, 2 * kMiB, "inactive")})});
        QVERIFY2(history, history ? "" : history.error().message.c_str());
        const MemoryReport report = reportOf(std::move(*history));
        const DeviceReport& device = report.devices[0];
        const Device& shown = report.device(device);
        // 30 MiB stayed from before, 4 MiB of before were freed; 700 bytes take 1,024, 1 takes 512.
        QCOMPARE(shown.allocatedBefore, 34 * kMiB);
        QCOMPARE(shown.reservedBefore, 32 * kMiB);
        QCOMPARE(device.reserved, 52 * kMiB);
        QCOMPARE(device.peakAllocated, 36 * kMiB + 1024);
        QCOMPARE(device.peakTime, 2000);
        QCOMPARE(device.allocated, 32 * kMiB + 512);
        QCOMPARE(device.olderAtPeak, 34 * kMiB);
        QCOMPARE(device.olderBytes, 30 * kMiB);
        QCOMPARE(device.neverFreedBytes, 2 * kMiB + 512);
        QCOMPARE(device.atPeakByPurpose[static_cast<std::size_t>(Purpose::Activations)].bytes,
                 2 * kMiB);
        QCOMPARE(device.atPeakByPurpose[static_cast<std::size_t>(Purpose::Gradients)].bytes, 1024);
        QCOMPARE(device.atPeak.size(), std::size_t{3});
        const Place& place = report.history.places[device.atPeak[1].place];
        QCOMPARE(report.history.name(place.line), std::string_view("train.py:7 step"));
        QCOMPARE(shown.segments.size(), std::size_t{1});
        QCOMPARE(shown.segments[0].freeInUsed, 20 * kMiB - 512);
        QCOMPARE(shown.segments[0].largestFree, 18 * kMiB - 512);
    }

    // A rest that is not worth a block stays with it: the segments tell.
    void blocksLargerThanAskedFor() {
        Writer w;
        auto history = w.history(
            {w.event("alloc", 100, 19 * kMiB, 10), w.event("alloc", 200, kMiB, 11)},
            {w.segment(100, 20 * kMiB, {w.block(100, 20 * kMiB, "active_allocated")}),
             w.segment(200, 2 * kMiB,
                       {w.block(200, kMiB, "active_allocated"), w.block(300, kMiB, "inactive")})});
        QVERIFY(history);
        const MemoryReport report = reportOf(std::move(*history));
        QCOMPARE(report.device(report.devices[0]).allocatedBefore, 0);
        QCOMPARE(report.device(report.devices[0]).allocated[0].bytes, 20 * kMiB);
        QCOMPARE(report.devices[0].peakAllocated, 21 * kMiB);
    }

    void outOfMemory() {
        Writer w;
        auto history = w.history({w.dict({{"action", w.text("oom")},
                                          {"size", w.number(1 << 30)},
                                          {"device_free", w.number(5)},
                                          {"time_us", w.number(3)},
                                          {"frames", w.list({w.frame("a.py", 3, "f")})}})},
                                 {});
        QVERIFY(history);
        const std::string text = memoryText(reportOf(std::move(*history)), {}, 9);
        QVERIFY2(text.find("out of memory") != std::string::npos, text.c_str());
        QVERIFY2(text.find("1.0 GiB") != std::string::npos, text.c_str());
        QVERIFY2(text.find("a.py:3 f") != std::string::npos, text.c_str());
    }

    // More bytes than numbers can say: sums stay at the most that they may have.
    void absurdSizes() {
        constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
        Writer w;
        std::vector<Value> events;
        std::vector<Value> blocks;
        for (std::int64_t i = 0; i < 300; ++i) {  // of 2^56 bytes each: above 2^63
            events.push_back(w.event("segment_alloc", i, kHuge, i));
            events.push_back(w.event("alloc", i, kHuge, i));
            events.push_back(w.event("free_requested", 1000 + i, kHuge, i));
            events.push_back(w.event("alloc", 2000 + i, kHuge, i));
            blocks.push_back(w.block(i, kHuge, "active_allocated"));
        }
        auto history =
            w.history(events, {w.segment(0, kHuge, blocks), w.segment(1, kHuge, blocks)});
        QVERIFY(history);
        const MemoryReport report = reportOf(std::move(*history));
        const Device& device = report.device(report.devices[0]);
        QCOMPARE(device.segments[0].allocated, kMaxBytes);
        QCOMPARE(device.reservedAtEnd(), kMaxBytes);
        for (const Usage& usage : device.allocated) {
            QVERIFY(-kMaxBytes <= usage.bytes && usage.bytes <= kMaxBytes);
        }
        QVERIFY(!memoryText(report, {}, 9).empty());
    }

    // PyTorch 2.0: stacks and requests in the uses of a block, the latest first.
    void usesOfBlocks() {
        Writer w;
        const auto use = [&](std::int64_t size, const char* file) {
            return w.dict({{"addr", w.number(100)},
                           {"real_size", w.number(size)},
                           {"frames", w.list({w.frame(file, 7, "f")})}});
        };
        const auto block =
            w.dict({{"size", w.number(kMiB)},
                    {"state", w.text("active_allocated")},
                    {"history", w.list({use(900'000, "new.py"), use(5, "old.py")})}});
        auto history = w.history({}, {w.segment(100, 2 * kMiB, {block})});
        QVERIFY(history);
        const SegmentBlock& read = history->devices[0].segmentList[0].blocks[0];
        QCOMPARE(read.requested, std::int64_t{900'000});
        QCOMPARE(history->name(history->places[read.place].line), std::string_view("new.py:7 f"));
    }

    // The allocator's setting roundup_power2_divisions:[1:4,4:1].
    void sizesAreRounded() {
        const auto document = pickle::readPickle(
            "}U\x18roundup_power2_divisions}(U\x01"
            "1K\x04U\x01"
            "4K\x01us.");
        QVERIFY2(document, document ? "" : document.error().message.c_str());
        const Rounding set(*document, document->root());
        QCOMPARE(set.rounded(kMiB + 1), kMiB + kMiB / 4);
        QCOMPARE(set.rounded(3 * kMiB - 5), 3 * kMiB);
        QCOMPARE(set.rounded(600'000), 655'360);
        QCOMPARE(set.rounded(5 * kMiB + 1), 5 * kMiB + 512);
        QCOMPARE(set.rounded(700), 1024);
        const Rounding usual;
        QCOMPARE(usual.rounded(0), 512);
        QCOMPARE(usual.rounded(513), 1024);
        QCOMPARE(usual.rounded(kMiB + 1), kMiB + 512);
        QVERIFY(usual.rounded(std::numeric_limits<std::int64_t>::max()) > 0);
    }

    void twoSnapshots() {
        const auto made = [](std::int64_t kept) {
            Writer w;
            const auto a = w.frame("a.py", 1, "f");
            const auto b = w.frame("b.py", 2, "g");
            std::vector<Value> events{w.event("alloc", 1, kMiB, 1, {a})};
            for (std::int64_t i = 0; i < kept; ++i) {
                events.push_back(w.event("alloc", 100 + i, 2 * kMiB, 2 + i, {b}));
            }
            auto history = w.history(events, {});
            return reportOf(std::move(*history));
        };
        const MemoryComparison comparison = compareMemory(made(1), made(4));
        QCOMPARE(comparison.changes.size(), std::size_t{1});
        QCOMPARE(comparison.changes[0].change(), 6 * kMiB);
        QCOMPARE(comparison.changes[0].line, std::string("b.py:2 g"));
        QCOMPARE(comparison.changes[0].candidateCount, std::uint64_t{4});
        QVERIFY(comparisonText(comparison, {}, 9).find("+6.0 MiB") != std::string::npos);
        QVERIFY(compareMemory(made(2), made(2)).changes.empty());
    }

    void whatIsNoSnapshot() {
        for (const std::string_view text : {std::string_view("K\x05."), std::string_view("}."),
                                            std::string_view("]K\x01"
                                                             "a."),
                                            std::string_view("}U\x08segments](}eu.")}) {
            const auto document = pickle::readPickle(text);
            const auto history = document ? historyOf(*document) : tl::unexpected(document.error());
            QVERIFY(!history);
            QVERIFY2(history.error().message.starts_with("is not a "),
                     history.error().message.c_str());
        }
    }

    void mutationsEndInAMessageOrAnAnswer() {
        const std::size_t count = test::mutations(2000);
        const std::string bytes = recordedBytes();
        std::size_t read = 0;
        for (std::uint64_t number = 0; number < count; ++number) {
            const std::string damaged = test::Mutator(number).bytes(bytes);
            const auto made = guarded([&]() -> Result<std::string> {
                const auto document = pickle::readPickle(damaged);
                auto history = document ? historyOf(*document) : tl::unexpected(document.error());
                if (!history) {
                    return tl::unexpected(history.error());
                }
                const MemoryReport report = reportOf(std::move(*history));
                return memoryText(report, {}, 9) + memoryCsv(report);
            });
            read += made ? 1U : 0U;
            if (!made) {
                QVERIFY2(made.error().message.starts_with("is not a "),
                         fmt::format("{}: {}", number, made.error().message).c_str());
            }
        }
        QVERIFY2(read > 20 && read < count - 20, fmt::format("{} were read", read).c_str());
    }

    // Against the standard library's table.
    void addresses() {
        AddressTable table;
        std::map<std::uint64_t, std::uint32_t> known;
        std::mt19937_64 random(5);
        for (std::uint32_t i = 0; i < 200'000; ++i) {
            const std::uint64_t address = 512 * (random() % 4000);
            if (random() % 2 == 0) {
                table.put(address, i);
                known[address] = i;
            } else {
                const auto at = known.find(address);
                QCOMPARE(table.take(address),
                         at == known.end() ? AddressTable::kMissing : at->second);
                known.erase(address);
            }
        }
        for (const auto& [address, value] : known) {
            QCOMPARE(table.find(address), value);
        }
    }
};

QTEST_APPLESS_MAIN(SnapshotTest)
#include "SnapshotTest.moc"
