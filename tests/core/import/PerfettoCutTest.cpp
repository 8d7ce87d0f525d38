// SPDX-License-Identifier: Apache-2.0
// What is read from Perfetto's packets is in a cut of them, too.
#include <fmt/format.h>

#include <QtTest>

#include "core/analysis/WindowScope.h"
#include "core/cut/Cut.h"
#include "tests/core/import/PerfettoFixture.h"
#include "tests/support/MemoryFiles.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using namespace kinetoscope::test::perfetto;
using test::Proto;

namespace {

std::string cutOf(const std::string& bytes, const char* window = "trace") {
    const test::MemoryFile input(bytes);
    const auto trace = import::loadTrace(input.path());
    if (!trace) {
        return trace.error().message;
    }
    test::Pipe pipe;
    cut::CutOptions options;
    options.window = analysis::parseWindow(window).value();
    options.output = pipe.path();
    const auto summary = cut::cutTrace(**trace, options);
    const std::string written = pipe.content();
    return summary ? written : summary.error().message;
}

std::string rowOf(const Trace& trace, TrackId id) {
    const Track& track = trace.tracks()[id];
    return fmt::format("{}/{}", trace.rowIdText(trace.processes()[track.process].pid),
                       trace.rowIdText(track.tid));
}

using Describe = std::string (*)(const Trace& trace);

std::string slicesOf(const Trace& trace) {
    std::string text;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        text += fmt::format("{} ({}) {} on {}; ", trace.name(slice),
                            trace.categoryText(trace.categoryId(slice)), trace.start(slice),
                            rowOf(trace, trace.trackIds()[slice]));
    }
    return text;
}

std::string described(std::string_view text, Describe describe) {
    const auto trace = test::importText(text);
    return trace ? describe(**trace) : trace.error().message;
}

Proto spec(std::int64_t id, std::string_view text) {
    return Proto().number(1, id).text(2, text);
}

void addInterned(Packets& packets, std::uint64_t time) {
    packets.add(packetAt(time).message(11, slice(BeginEvent, 5).number(10, 1).number(3, 1)));
    packets.add(packetAt(time + 5).message(11, slice(EndEvent, 5)));
}

}  // namespace

class PerfettoCutTest final : public QObject {
    Q_OBJECT

private slots:
    void idsMeanWhatTheyMeantAtTheirTime();
};

void PerfettoCutTest::idsMeanWhatTheyMeantAtTheirTime() {
    const auto told = [](std::string_view name, std::string_view category) {
        return Proto().number(10, 1).message(
            12, Proto().message(2, spec(1, name)).message(1, spec(1, category)));
    };
    const Proto cleared = Proto().number(10, 1).number(13, 1);
    Packets packets;
    packets.add(cleared).add(told("first", "cpu_op"));
    addInterned(packets, 10);
    packets.add(told("second", "kernel"));  // in one generation
    addInterned(packets, 20);
    packets.add(cleared);  // and not told again
    addInterned(packets, 30);
    packets.add(told("second", "kernel"));
    addInterned(packets, 40);
    packets.add(cleared).add(told("second", "kernel"));
    addInterned(packets, 50);
    const std::string read = described(packets.bytes(), slicesOf);
    QCOMPARE(read,
             "first (cpu_op) 0 on tracks/5; second (kernel) 10 on 0/5; "
             " () 20 on tracks/5; second (kernel) 30 on 0/5; second (kernel) 40 on 0/5; ");
    QCOMPARE(described(cutOf(packets.bytes()), slicesOf), read);
}

QTEST_APPLESS_MAIN(PerfettoCutTest)
#include "PerfettoCutTest.moc"
