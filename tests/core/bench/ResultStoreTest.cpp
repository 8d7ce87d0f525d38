// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/bench/results/ResultStore.h"
#include "core/compare/CompareInput.h"
#include "core/compare/CompareText.h"
#include "tests/support/SampleResults.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::compare;
using namespace kinetoscope::test;

class ResultStoreTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string folder() const { return m_folder->path().toStdString(); }
    void store(const char* name, const std::string& text) const {
        std::ofstream(m_folder->filePath(name).toStdString(), std::ios::binary) << text;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void writersAtOnceLoseNothing() {
        constexpr int kWriters = 8;
        constexpr int kEach = 25;
        const std::string created = "2026-11-20T23:28:05Z";
        std::array<int, 2> gate{};
        QCOMPARE(::pipe(gate.data()), 0);
        std::vector<pid_t> writers;
        for (int writer = 0; writer < kWriters; ++writer) {
            const pid_t child = ::fork();
            if (child == 0) {
                char go = 0;
                ::close(gate[1]);
                bool good = ::read(gate[0], &go, 1) == 0;  // all begin when it is closed
                const ResultStore store(folder());
                for (int i = 0; i < kEach; ++i) {
                    good &= store.saveText(created, std::to_string(writer * kEach + i)).has_value();
                }
                ::_exit(good ? 0 : 1);
            }
            writers.push_back(child);
        }
        ::close(gate[0]);
        ::close(gate[1]);
        for (const pid_t writer : writers) {
            int status = 1;
            QCOMPARE(::waitpid(writer, &status, 0), writer);
            QCOMPARE(status, 0);
        }
        std::set<std::string> texts;
        for (const auto& entry : std::filesystem::directory_iterator(folder())) {
            QCOMPARE(entry.path().extension().string(), std::string(".json"));
            std::ifstream file(entry.path());
            texts.insert(std::string(std::istreambuf_iterator<char>(file), {}));
        }
        QCOMPARE(texts.size(), std::size_t{kWriters * kEach});
    }

    void idsOfOneMomentCount() {
        const ResultStore store(folder());
        const std::string created = "2026-11-20T23:28:05Z";
        QCOMPARE(store.saveText(created, "1").value(), std::string("20261120-232805"));
        QCOMPARE(store.saveText(created, "2").value(), std::string("20261120-232805-2"));
        QCOMPARE(store.saveText(created, "3").value(), std::string("20261120-232805-3"));
        QVERIFY(!ResultStore("/proc/nothing").saveText(created, "1"));
    }

    void theLastOfOneMomentIsTheLastSaved() {
        const ResultStore store(folder());
        std::vector<std::string> saved;
        for (int i = 0; i < 12; ++i) {
            saved.push_back(store.saveText("2026-11-20T23:28:05Z", sampleModules()).value());
        }
        QCOMPARE(saved.back(), std::string("20261120-232805-12"));
        QCOMPARE(store.loadText("last").value().id, saved.back());
        for (const char* created :
             {"2026-11-20T23:28:06Z", "2026-11-20T23:28:06.5Z", "2027-01-01T00:00:00Z"}) {
            saved.push_back(store.saveText(created, sampleModules()).value());
        }
        std::vector<std::string> listed;
        for (const StoredResult& result : store.list()) {
            listed.push_back(result.id);
        }
        QCOMPARE(listed, saved);
        QCOMPARE(store.loadText("last").value().id, std::string("20270101-000000"));
    }

    // Each was looked for in the whole folder: 15 s of processor time for these.
    void manyResultsAreListedAtOnce() {
        constexpr std::size_t kResults = 3000;
        for (std::size_t i = 0; i < kResults; ++i) {
            store(("20260101-000000-" + std::to_string(i + 2) + ".json").c_str(), "{}");
        }
        const std::clock_t begin = std::clock();
        QCOMPARE(ResultStore(folder()).list().size(), kResults);
        QVERIFY((std::clock() - begin) / CLOCKS_PER_SEC < 5);
    }

    void aBadResultHidesNoOther() {
        std::string deep = R"({"schema": "kinetoscope.result/1", "kind": "operators", "z": )";
        deep += std::string(200'000, '[') + std::string(200'000, ']') + "}";
        store("20260101-000000.json", deep);
        store("20260102-000000.json", "\xff\xfe");
        store("20260103-000000.json", "");
        store("20260104-000000.json", sampleModules());
        const auto results = ResultStore(folder()).list();
        QCOMPARE(results.size(), 4U);
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(!results[i].problem.empty());
            QVERIFY(results[i].problem.find('\n') == std::string::npos);
        }
        QVERIFY2(results[0].problem.ends_with("nests deeper than 128 brackets"),
                 results[0].problem.c_str());
        QCOMPARE(results[3].problem, std::string());
        QCOMPARE(results[3].kernels, 1U);
    }

    void timesThatCannotBeAreLeftOut() {
        std::string text = sampleModules();
        const std::string samples = "\"samples_ns\": [";
        const std::size_t at = text.find(samples);
        QVERIFY(at != std::string::npos);
        text.insert(at + samples.size(), "1e308, 1e308, -1, \"a\", ");
        const auto document = parseResult(text, ResultKind::Modules);
        QVERIFY(document.has_value());
        QCOMPARE(document->items[0].parts[0].series[0].samples.size(), 6U);
        const CompareInput input(parseMeasuredResult(text).value());
        const auto comparison = compareInputs(Baseline(&input), Candidate(&input), {});
        QVERIFY(comparison.has_value());
        QVERIFY(!compareText(*comparison, {}, {}).empty());
        QVERIFY(!compareMarkdown(*comparison, {}).empty());
    }

    // The clock of a sample is that of its own place, whatever is left out before it.
    void samplesKeepTheirClocks() {
        const auto document =
            parseResult(R"({"schema": "kinetoscope.result/1", "kernels": [{"configs": [)"
                        R"({"samples_ns": ["x", 5, 1e300, 7], "samples_clock_mhz": [1, 2, 3, 4],)"
                        R"( "samples_throttled": [true, false, true, true]}]}]})",
                        ResultKind::Kernels);
        QVERIFY(document.has_value());
        const auto& read = document->items.at(0).series.at(0).samples;
        QCOMPARE(read.size(), 2U);
        QCOMPARE(read[0].clockMhz, 2.0);
        QCOMPARE(read[1].clockMhz, 4.0);
        QVERIFY(!read[0].throttled && read[1].throttled);
    }
};

QTEST_APPLESS_MAIN(ResultStoreTest)
#include "ResultStoreTest.moc"
