// SPDX-License-Identifier: Apache-2.0
// The importer against an independent reading by nlohmann/json, on real and on random traces; and
// random damage, after which nothing may break and the counts must stay consistent.
#include <QtTest>
#include <algorithm>
#include <string>
#include <utility>

#include "core/import/load/LoadTrace.h"
#include "core/import/source/OpenTextSource.h"
#include "tests/support/RandomTrace.h"
#include "tests/support/ReferenceReader.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::import::source;
using namespace kinetoscope::trace;
using namespace kinetoscope::test;

class ImportAgreementTest final : public QObject {
    Q_OBJECT

private slots:
    void realTracesAgree_data();
    void realTracesAgree();
    void randomTracesAgree();
    void randomDamageNeverBreaksTheCounts();
    void cutRandomTracesKeepWhatCameBefore();
};

namespace {

std::string idText(const Trace& trace, RowId id) {
    return id.isText ? "'" + trace.rowIdText(id) + "'" : trace.rowIdText(id);
}

std::string trackText(const Trace& trace, TrackId track) {
    const Track& row = trace.tracks()[track];
    return idText(trace, trace.processes()[row.process].pid) + "/" + idText(trace, row.tid) + " ";
}

std::string noId(std::int64_t id) {
    return id == kNoId ? "-" : std::to_string(id);
}

template <class T>
std::string triple(const std::array<T, 3>& values) {
    std::string line;
    for (const T value : values) {
        line += std::to_string(value) + ",";
    }
    return line + " ";
}

std::string operationText(const Trace& trace, const GpuOperation& operation) {
    const TrackId track = trace.trackOf(operation.slice);
    const RowId pid = trace.processes()[trace.tracks()[track].process].pid;
    const RowId tid = trace.tracks()[track].tid;
    // The reference does not know digits in texts nor devices for them: shown as it would.
    const bool fits = !pid.isText && std::in_range<std::int32_t>(pid.value);
    const std::string gpu = fits ? std::to_string(operation.gpu) : idText(trace, pid);
    const bool odd = tid.isText && (operation.stream == 0 || operation.stream == 7);
    const std::string stream = odd ? idText(trace, tid) : std::to_string(operation.stream);
    return "gpu " + gpu + " stream " + stream + " " + triple(operation.grid) +
           triple(operation.block) + std::to_string(operation.registers) + " " +
           std::to_string(operation.sharedBytes) + " " +
           std::to_string(operation.occupancyPercent) + " " + std::to_string(operation.bytes) +
           " " + std::to_string(operation.graph) + " " +
           (operation.collective ? "collective" : "own");
}

// The trace in the words of ReferenceTrace.
ReferenceTrace retold(const Trace& trace) {
    ReferenceTrace told;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        told.slices.push_back(
            trackText(trace, trace.trackOf(slice)) + std::to_string(trace.start(slice)) + " " +
            std::to_string(trace.duration(slice)) + " " + std::string(trace.name(slice)) + " " +
            std::string(trace.categoryText(trace.categoryId(slice))) + " " +
            noId(trace.correlation(slice)) + " " + noId(trace.externalId(slice)));
    }
    for (const GpuOperation& operation : trace.gpuOperations()) {
        told.operations.push_back(operationText(trace, operation));
    }
    for (const FlowPoint& flow : trace.flows()) {
        told.flows.push_back(trackText(trace, flow.track) + std::to_string(flow.time) + " " +
                             flow.phase + std::to_string(flow.id) +
                             std::string(trace.text(flow.name)) +
                             std::string(trace.categoryText(flow.category)));
    }
    for (const Instant& instant : trace.instants()) {
        told.instants.push_back(trackText(trace, instant.track) + std::to_string(instant.time) +
                                " " + std::string(trace.text(instant.name)) + instant.scope);
    }
    for (const CounterSample& sample : trace.counters()) {
        const Track& track = trace.tracks()[sample.track];
        told.counters.push_back(idText(trace, trace.processes()[track.process].pid) + " " +
                                std::to_string(sample.time) + " " + trace.rowIdText(track.tid) +
                                " " + std::string(trace.text(sample.series)) + " " +
                                std::to_string(sample.value));
    }
    told.events = trace.log().events;
    told.launchFlows = trace.counts().launchFlows;
    told.metadata = trace.counts().metadata;
    return told;
}

QString firstDifference(const std::vector<std::string>& actual,
                        const std::vector<std::string>& expected) {
    const auto [a, e] = std::ranges::mismatch(actual, expected);
    if (a == actual.end() && e == expected.end()) {
        return {};
    }
    return QString("row %1: '%2' instead of '%3'")
        .arg(a - actual.begin())
        .arg(QString::fromStdString(a == actual.end() ? "(end)" : *a),
             QString::fromStdString(e == expected.end() ? "(end)" : *e));
}

QString disagreement(const Trace& trace, const std::string& text) {
    const ReferenceTrace expected = ReferenceReader::read(exactJson(text));
    const ReferenceTrace actual = retold(trace);
    QString found = firstDifference(actual.slices, expected.slices) +
                    firstDifference(actual.operations, expected.operations) +
                    firstDifference(actual.flows, expected.flows) +
                    firstDifference(actual.instants, expected.instants) +
                    firstDifference(actual.counters, expected.counters);
    for (const auto& process : trace.processes()) {
        const auto name = expected.processNames.find(idText(trace, process.pid));
        if (name != expected.processNames.end() && trace.text(process.name) != name->second) {
            found += "process " + QString::fromStdString(name->first);
        }
    }
    for (TrackId track = 0; track < trace.tracks().size(); ++track) {
        const auto name = expected.threadNames.find(trackText(trace, track));
        if (trace.tracks()[track].kind == TrackKind::Thread && name != expected.threadNames.end() &&
            trace.text(trace.tracks()[track].name) != name->second) {
            found += "thread " + QString::fromStdString(name->first);
        }
    }
    if (actual.events != expected.events || actual.launchFlows != expected.launchFlows ||
        actual.metadata != expected.metadata || trace.log().skipped != 0) {
        found += "counts";
    }
    return found;
}

std::uint64_t kept(const Trace& trace) {
    return trace.sliceCount() + trace.instants().size() + trace.flows().size() +
           trace.counts().launchFlows + trace.counts().metadata;
}

}  // namespace

void ImportAgreementTest::realTracesAgree_data() {
    QTest::addColumn<QString>("path");
    // The last one is beside the checkout on some machines only.
    for (const QString folder : {"resources", "tests/data/traces", "../shared/traces"}) {
        const QDir traces(KINETOSCOPE_SOURCE_DIR "/" + folder);
        const auto files = traces.entryInfoList({"*.json.gz"}, QDir::Files, QDir::Name);
        QVERIFY2(!files.empty() || folder.startsWith(".."), qPrintable(folder));
        for (const QFileInfo& file : files) {
            QTest::newRow(qPrintable(folder + '/' + file.fileName())) << file.absoluteFilePath();
        }
    }
}

void ImportAgreementTest::realTracesAgree() {
    QFETCH(QString, path);
    const auto trace = loadTrace(path.toStdString());
    QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
    QVERIFY((*trace)->log().empty());
    QVERIFY((*trace)->sliceCount() > 100);
    // The text itself comes through the source that the importer uses; gzip has its own tests.
    auto source = openTextSource(path.toStdString());
    std::string text;
    std::string piece(1 << 20, '\0');
    while (const std::size_t got = (*source)->read(piece.data(), piece.size())) {
        text.append(piece, 0, got);
    }
    QCOMPARE(disagreement(**trace, text), QString());
}

void ImportAgreementTest::randomTracesAgree() {
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        RandomTrace random(seed);
        const std::string text = random.document();
        const std::size_t chunk = seed % 3 == 0 ? kTextChunk : 1 + random.below(text.size());
        const auto trace = importText(text, chunk);
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const QString found = disagreement(**trace, text);
        QVERIFY2(found.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(found)));
    }
}

void ImportAgreementTest::randomDamageNeverBreaksTheCounts() {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        RandomTrace random(seed);
        std::string text = random.document();
        for (std::size_t damage = 1 + random.below(4); damage > 0; --damage) {
            const std::size_t at = random.below(text.size());
            const std::size_t length = random.below(60);
            switch (random.below(4)) {
                case 0:
                    text[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    text.erase(at, length);
                    break;
                case 2:
                    text.insert(at, text.substr(random.below(text.size()), length));
                    break;
                default:
                    text[at] = "\"{}[],:\\ \n"[random.below(10)];
            }
            text += text.empty() ? " " : "";
        }
        const auto trace = importText(text, 1 + random.below(400));
        if (!trace) {
            QVERIFY(!trace.error().message.empty());
            continue;
        }
        const ImportLog& log = (*trace)->log();
        const ImportIssue* unknown = log.find("unknown_phase");
        const std::uint64_t notShown = log.skipped + (unknown != nullptr ? unknown->count : 0);
        QVERIFY(log.skipped <= log.events);
        // Counters may have several samples, end events none: an upper and a lower bound.
        QVERIFY(kept(**trace) + notShown <= log.events);
        for (const ImportIssue& issue : log.sorted()) {
            QVERIFY(issue.count > 0 && issue.firstOffset <= text.size());
            QVERIFY(issue.example.find('\n') == std::string::npos);
            QVERIFY(QString::fromStdString(issue.example).toStdString() == issue.example);
        }
        QVERIFY(log.skipped == 0 || !log.empty());
    }
}

void ImportAgreementTest::cutRandomTracesKeepWhatCameBefore() {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        RandomTrace random(seed);
        std::string text = "{\"traceEvents\": [";
        std::vector<std::size_t> ends;
        for (int i = 0; i < 20; ++i) {
            text += (i > 0 ? ",\n" : "") + random.event();
            ends.push_back(text.size());
        }
        const std::size_t cut = 17 + random.below(text.size() - 17);
        const auto complete = static_cast<std::uint64_t>(
            std::ranges::count_if(ends, [cut](std::size_t end) { return end <= cut; }));
        const auto trace = importText(std::string_view(text).substr(0, cut), 128);
        QVERIFY(trace);
        QCOMPARE((*trace)->log().events - (*trace)->log().skipped, complete);
        QVERIFY((*trace)->log().find("truncated_text") != nullptr);
    }
}

QTEST_APPLESS_MAIN(ImportAgreementTest)
#include "ImportAgreementTest.moc"
