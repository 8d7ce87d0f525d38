// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <set>
#include <string>

#include "core/trace/TraceBuilder.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;

class TraceTest final : public QObject {
    Q_OBJECT

private slots:
    void columnsComeBackInFileOrder();
    void numbersOfEverySizeComeBack_data();
    void numbersOfEverySizeComeBack();
    void durationsCanBeSetLater();
    void extentSpansEarliestStartToLatestEnd();
    void tracksAreKeyedByProcessThreadKindAndSource();
    void onlyRowsWithEventsAreMarked();
    void otherCategoriesKeepTheirText();
    void tooManyCategoriesShareTheLastRow();
    void everyKnownCategoryHasItsOwnName();
    void gpuWorkIsKernelsCopiesAndMemsets();
    void theOlderHalfIsDropped();
    void nothingIsDroppedWithoutAnythingEarlier();
    void builderIsEmptyAfterFinish();
    void issuesOfOneNameAreCountedTogether();
    void mergedLogsAddUp();
    void devicesAreFoundById();
};

namespace {

RowId number(std::int64_t value) {
    return {false, value};
}

}  // namespace

void TraceTest::columnsComeBackInFileOrder() {
    TraceBuilder builder;
    SliceInput input;
    input.name = builder.name("cudaLaunchKernel");
    input.track = builder.track(number(477), number(478));
    input.start = 1'000;
    input.duration = 5'632;
    input.correlation = 42;
    input.externalId = 7;
    input.offset = 5'000'000'000;
    input.category = static_cast<CategoryId>(Category::Runtime);
    builder.addSlice(input);
    input.start = 10;
    builder.addSlice(input);
    const auto trace = builder.finish();

    QCOMPARE(trace->sliceCount(), std::size_t{2});
    QCOMPARE(trace->start(1), TimeNs{10});
    QCOMPARE(trace->end(0), TimeNs{6'632});
    QVERIFY(trace->name(0) == "cudaLaunchKernel");
    QCOMPARE(trace->category(0), Category::Runtime);
    QCOMPARE(trace->correlation(0), std::int64_t{42});
    QCOMPARE(trace->externalId(0), std::int64_t{7});
    QCOMPARE(trace->offset(0), std::uint64_t{5'000'000'000});
    QCOMPARE(trace->rowIdText(trace->tracks()[trace->trackOf(0)].tid), std::string("478"));
}

void TraceTest::numbersOfEverySizeComeBack_data() {
    QTest::addColumn<unsigned>("oneOf");
    QTest::newRow("few are large") << 500U;
    QTest::newRow("many are large") << 3U;
    QTest::newRow("all are large") << 1U;
}

void TraceTest::numbersOfEverySizeComeBack() {
    QFETCH(unsigned, oneOf);
    constexpr std::array<std::int64_t, 9> kLarge{0xfffffffd,
                                                 0xfffffffe,
                                                 0xffffffff,
                                                 0x100000000,
                                                 -1,
                                                 -5'000'000'000,
                                                 std::numeric_limits<std::int64_t>::max(),
                                                 std::numeric_limits<std::int64_t>::min() + 1,
                                                 kNoId};
    constexpr SliceId kSlices = 30'000;
    std::mt19937_64 random(oneOf);
    const auto next = [&]() -> std::int64_t {
        return random() % oneOf == 0 ? kLarge[random() % kLarge.size()]
                                     : static_cast<std::int64_t>(random() % 1'000'000);
    };
    TraceBuilder builder;
    const TrackId track = builder.track(number(1), number(2));
    std::vector<SliceInput> expected;
    for (SliceId slice = 0; slice < kSlices; ++slice) {
        SliceInput row;
        row.start = static_cast<std::int64_t>(random() >> 8U);
        row.duration = std::abs(next() % (std::int64_t{1} << 40));
        row.correlation = next();
        row.externalId = next();
        row.offset = random();  // recordings use all bits
        row.name = builder.name(std::to_string(random() % 500));
        row.track = track;
        row.category = static_cast<CategoryId>(random() % kKnownCategories);
        expected.push_back(row);
        QCOMPARE(builder.addSlice(row), slice);
    }
    const auto trace = builder.finish();
    QCOMPARE(trace->sliceCount(), std::size_t{kSlices});
    for (SliceId slice = 0; slice < kSlices; ++slice) {
        const SliceInput& row = expected[slice];
        QCOMPARE(trace->start(slice), row.start);
        QCOMPARE(trace->duration(slice), row.duration);
        QCOMPARE(trace->correlation(slice), row.correlation);
        QCOMPARE(trace->externalId(slice), row.externalId);
        QCOMPARE(trace->offset(slice), row.offset);
        QCOMPARE(trace->nameId(slice), row.name);
        QCOMPARE(trace->trackOf(slice), row.track);
        QCOMPARE(trace->categoryId(slice), row.category);
    }
}

// As the end events of nested begin events do, long after other slices have come.
void TraceTest::durationsCanBeSetLater() {
    TraceBuilder builder;
    const TrackId track = builder.track(number(1), number(2));
    constexpr SliceId kSlices = 20'000;
    for (SliceId slice = 0; slice < kSlices; ++slice) {
        builder.addSlice({.start = slice, .track = track});
    }
    const auto durationOf = [](SliceId slice) -> TimeNs {
        return slice % 3 == 0 ? TimeNs{7'000'000'000} + slice : TimeNs{slice};
    };
    for (SliceId slice = kSlices; slice-- > 0;) {
        builder.setDuration(slice, durationOf(slice));
    }
    const auto trace = builder.finish();
    TimeNs end = 0;
    for (SliceId slice = 0; slice < kSlices; ++slice) {
        QCOMPARE(trace->duration(slice), durationOf(slice));
        end = std::max(end, slice + durationOf(slice));
    }
    QVERIFY((trace->extent() == TimeSpan{0, end}));
}

void TraceTest::extentSpansEarliestStartToLatestEnd() {
    TraceBuilder builder;
    builder.addSlice({.start = 50, .duration = 1'000});
    builder.addSlice({.start = -20, .duration = 5});
    builder.addSlice({.start = 900, .duration = 10});
    builder.track({}, {});
    QVERIFY((builder.finish()->extent() == TimeSpan{-20, 1'050}));
    QVERIFY((TraceBuilder().finish()->extent() == TimeSpan{0, 0}));
}

void TraceTest::tracksAreKeyedByProcessThreadKindAndSource() {
    TraceBuilder builder;
    const RowId text{true, builder.name("7")};
    const std::array tracks{
        builder.track(number(0), number(7)),
        builder.track(number(1), number(7)),
        builder.track(number(0), text),
        builder.track(text, number(0)),
        builder.track(number(0), number(7), TrackKind::Counter),
        builder.track(number(0), number(7), TrackKind::Thread, 1),
    };
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        QCOMPARE(tracks[i], static_cast<TrackId>(i));
    }
    QCOMPARE(builder.track(number(0), number(7)), tracks[0]);
    // pids 0 (of source 0), 1, "7", and 0 of source 1
    QCOMPARE(builder.finish()->processes().size(), std::size_t{4});
}

void TraceTest::onlyRowsWithEventsAreMarked() {
    TraceBuilder builder;
    const TrackId used = builder.track(number(0), number(7));
    const TrackId announced = builder.track(number(1), number(0));
    const TrackId counted = builder.track(number(2), number(0), TrackKind::Counter);
    builder.addSlice({.track = used});
    builder.addCounter({.track = counted});
    const auto trace = builder.finish();
    QVERIFY(trace->tracks()[used].hasEvents);
    QVERIFY(!trace->tracks()[announced].hasEvents);
    QVERIFY(trace->tracks()[counted].hasEvents);
    QVERIFY(trace->processes()[0].hasEvents);
    QVERIFY(!trace->processes()[1].hasEvents);
    QVERIFY(trace->processes()[2].hasEvents);
}

void TraceTest::otherCategoriesKeepTheirText() {
    TraceBuilder builder;
    const CategoryId mine = builder.otherCategory("my_category");
    const CategoryId yours = builder.otherCategory("your_category");
    QVERIFY(mine != yours);
    QCOMPARE(builder.otherCategory("my_category"), mine);
    const auto trace = builder.finish();
    QVERIFY(trace->categoryText(yours) == "your_category");
    QCOMPARE(categoryKind(mine), Category::Other);
    QVERIFY(trace->categoryText(static_cast<CategoryId>(Category::GpuMemset)) == "gpu_memset");
}

void TraceTest::tooManyCategoriesShareTheLastRow() {
    TraceBuilder builder;
    CategoryId last = 0;
    for (int i = 0; i < 1'000; ++i) {
        last = builder.otherCategory("category " + std::to_string(i));
        QVERIFY(last >= kKnownCategories);
    }
    QCOMPARE(builder.otherCategory("one more"), last);
    const CategoryId first = builder.otherCategory("category 0");
    const auto trace = builder.finish();
    QVERIFY(trace->categoryText(last) == "(more categories)");
    QVERIFY(trace->categoryText(first) == "category 0");
}

void TraceTest::everyKnownCategoryHasItsOwnName() {
    std::set<std::string_view> names;
    for (CategoryId id = 1; id < kKnownCategories; ++id) {
        names.insert(categoryName(static_cast<Category>(id)));
    }
    QCOMPARE(names.size(), std::size_t{kKnownCategories - 1});
    QVERIFY(!names.contains(""));
    QVERIFY(categoryName(Category::FwdBwd) == "fwdbwd");
}

void TraceTest::gpuWorkIsKernelsCopiesAndMemsets() {
    int work = 0;
    for (CategoryId id = 0; id <= kKnownCategories; ++id) {
        work += isGpuOperation(categoryKind(id)) ? 1 : 0;
    }
    QCOMPARE(work, 3);
    QVERIFY(isGpuOperation(Category::Kernel));
    QVERIFY(!isGpuOperation(Category::CudaSync));
    QVERIFY(!isGpuOperation(Category::GpuUserAnnotation));
}

namespace {

/// Slices in no order of time, every third a GPU operation, with something of everything else.
void addMixedEvents(TraceBuilder& builder, std::size_t slices) {
    std::mt19937_64 random(7);
    const auto time = [&] { return static_cast<TimeNs>(random() % 1'000'000); };
    for (std::size_t i = 0; i < slices; ++i) {
        const TrackId track = builder.track(number(1), number(static_cast<std::int64_t>(i % 5)));
        const NameId name = builder.name("name " + std::to_string(i % 50));
        const SliceId slice =
            builder.addSlice({.start = time(),
                              .duration = static_cast<TimeNs>(random() % 5'000),
                              .correlation = i % 2 == 0 ? kNoId : static_cast<std::int64_t>(i),
                              .externalId = static_cast<std::int64_t>(i) * 3'000'000'000,
                              .offset = i,
                              .name = name,
                              .track = track,
                              .category = static_cast<CategoryId>(i % 7)});
        if (i % 3 == 0) {
            builder.addGpuOperation({.slice = slice, .stream = static_cast<std::int64_t>(i)});
            builder.addInvalidDuration({.slice = slice, .duration = -static_cast<TimeNs>(i)});
            builder.compatFacts().notComplete.push_back(slice);
        }
        builder.addInstant({.time = time(), .name = name, .track = track, .offset = i});
        builder.addCounter({.time = time(), .track = track, .offset = i});
        if (i % 2 == 0) {
            builder.addFlow({.time = time(), .track = track}, name);
        } else {
            builder.addFlow({.id = static_cast<std::int64_t>(i), .time = time(), .track = track});
        }
    }
}

/// What of `rows` happened from `time` on.
template <class Rows>
auto since(const Rows& rows, TimeNs time) {
    std::vector<typename Rows::value_type> kept;
    std::ranges::copy_if(rows, std::back_inserter(kept),
                         [&](const auto& row) { return row.time >= time; });
    return kept;
}

}  // namespace

void TraceTest::theOlderHalfIsDropped() {
    constexpr std::size_t kSlices = 10'001;
    TraceBuilder builder;
    addMixedEvents(builder, kSlices);
    const auto whole = builder.snapshot(true);
    const auto from = builder.dropOlderHalf();
    const auto rest = builder.snapshot(true);

    std::vector<TimeNs> starts;
    std::vector<SliceId> kept;
    for (SliceId slice = 0; slice < kSlices; ++slice) {
        starts.push_back(whole->start(slice));
    }
    std::ranges::sort(starts);
    QVERIFY(from == starts[kSlices / 2]);
    TimeSpan extent{std::numeric_limits<TimeNs>::max(), 0};
    for (SliceId slice = 0; slice < kSlices; ++slice) {
        if (whole->start(slice) >= *from) {
            kept.push_back(slice);
            extent.start = std::min(extent.start, whole->start(slice));
            extent.end = std::max(extent.end, whole->end(slice));
        }
    }
    QCOMPARE(rest->sliceCount(), kept.size());
    QVERIFY(rest->extent() == extent);
    for (SliceId slice = 0; slice < kept.size(); ++slice) {
        const SliceId old = kept[slice];
        QCOMPARE(rest->span(slice), whole->span(old));
        QCOMPARE(rest->correlation(slice), whole->correlation(old));
        QCOMPARE(rest->externalId(slice), whole->externalId(old));
        QCOMPARE(rest->offset(slice), whole->offset(old));
        QCOMPARE(rest->nameId(slice), whole->nameId(old));
        QCOMPARE(rest->trackOf(slice), whole->trackOf(old));
        QCOMPARE(rest->categoryId(slice), whole->categoryId(old));
    }
    // Every third slice is a GPU operation whose stream is its offset.
    const auto operations = static_cast<std::size_t>(
        std::ranges::count_if(kept, [](SliceId slice) { return slice % 3 == 0; }));
    QCOMPARE(rest->gpuOperations().size(), operations);
    QCOMPARE(rest->invalidDurations().size(), operations);
    QCOMPARE(rest->compatFacts().notComplete.size(), operations);
    for (std::size_t i = 0; i < operations; ++i) {
        const SliceId slice = rest->gpuOperations()[i].slice;
        const auto old = static_cast<std::int64_t>(rest->offset(slice));
        QCOMPARE(rest->gpuOperations()[i].stream, old);
        QCOMPARE(rest->invalidDurations()[i].slice, slice);
        QCOMPARE(rest->invalidDurations()[i].duration, -old);
        QCOMPARE(rest->compatFacts().notComplete[i], slice);
    }
    const auto instants = since(whole->instants(), *from);
    const auto counters = since(whole->counters(), *from);
    const auto flows = since(whole->flows(), *from);
    QVERIFY(std::ranges::equal(rest->instants(), instants, {}, &Instant::offset, &Instant::offset));
    QVERIFY(std::ranges::equal(rest->counters(), counters, {}, &CounterSample::offset,
                               &CounterSample::offset));
    QVERIFY(std::ranges::equal(rest->flows(), flows, {}, &FlowPoint::id, &FlowPoint::id));
    QVERIFY(std::ranges::equal(rest->flows(), flows, {}, &FlowPoint::time, &FlowPoint::time));
    QCOMPARE(rest->tracks().size(), whole->tracks().size());
    QCOMPARE(rest->counts().droppedEvents,
             4 * kSlices - kept.size() - instants.size() - counters.size() - flows.size());
    QCOMPARE(rest->counts().drops, std::uint64_t{1});
    QCOMPARE(rest->counts().droppedGpuOperations, whole->gpuOperations().size() - operations);

    // It goes on: rows after the drop, and a part that has flows by text.
    addMixedEvents(builder, 100);
    QCOMPARE(builder.sliceCount(), kept.size() + 100);
    const TraceBuilder empty(TraceBuilder::Use::Part);
    QCOMPARE(builder.append(empty).firstSlice, static_cast<SliceId>(kept.size() + 100));
    QVERIFY(builder.dropOlderHalf() > from);
}

void TraceTest::nothingIsDroppedWithoutAnythingEarlier() {
    TraceBuilder builder;
    QVERIFY(!builder.dropOlderHalf());
    for (int i = 0; i < 3; ++i) {
        builder.addSlice({.start = 500, .track = builder.track(number(0), number(7))});
    }
    QVERIFY(!builder.dropOlderHalf());
    QCOMPARE(builder.finish()->sliceCount(), std::size_t{3});
}

void TraceTest::builderIsEmptyAfterFinish() {
    TraceBuilder builder;
    builder.addSlice({.track = builder.track(number(0), number(7))});
    builder.log().add("odd", Severity::Info, 0, "");
    QCOMPARE(builder.finish()->sliceCount(), std::size_t{1});
    const auto second = builder.finish();
    QCOMPARE(second->sliceCount(), std::size_t{0});
    QVERIFY(second->tracks().empty());
    QVERIFY(second->log().empty());
}

void TraceTest::issuesOfOneNameAreCountedTogether() {
    ImportLog log;
    log.add("negative_duration", Severity::Warning, 500, "second");
    log.add("negative_duration", Severity::Warning, 100, "first");
    log.add("truncated_text", Severity::DataLoss, 50, "cut");
    const ImportIssue* issue = log.find("negative_duration");
    QVERIFY(issue != nullptr);
    QCOMPARE(issue->count, std::uint64_t{2});
    QCOMPARE(issue->firstOffset, std::uint64_t{100});
    QCOMPARE(issue->example, std::string("first"));
    QCOMPARE(log.sorted().front().name, std::string("truncated_text"));
    QCOMPARE(log.find("absent"), nullptr);
}

void TraceTest::mergedLogsAddUp() {
    ImportLog a;
    a.events = 10;
    a.skipped = 1;
    a.add("odd", Severity::Info, 30, "late", 3);
    ImportLog b;
    b.events = 5;
    b.skipped = 2;
    b.add("odd", Severity::Info, 20, "early", 4);
    a.merge(b);
    QCOMPARE(a.events, std::uint64_t{15});
    QCOMPARE(a.skipped, std::uint64_t{3});
    QCOMPARE(a.find("odd")->count, std::uint64_t{7});
    QCOMPARE(a.find("odd")->example, std::string("early"));
}

void TraceTest::devicesAreFoundById() {
    RunInfo info;
    DeviceProperties device;
    device.id = 3;
    device.name = "NVIDIA H200";
    info.devices.push_back(device);
    QCOMPARE(info.device(3)->name, std::string("NVIDIA H200"));
    QCOMPARE(info.device(0), nullptr);
}

QTEST_APPLESS_MAIN(TraceTest)
#include "TraceTest.moc"
