// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/cut/Cut.h"
#include "core/import/load/LoadTrace.h"

using namespace kinetoscope;
using Json = nlohmann::json;

namespace {

/// One kernel from 10 to 20 µs, and what has no length around it.
constexpr const char* kSparse = R"({"schemaVersion": 1, "traceEvents": [
    {"ph": "C", "name": "early", "ts": 0, "pid": 1, "args": {"v": 1}},
    {"ph": "i", "s": "t", "name": "[memory]", "cat": "cpu_instant_event", "pid": 1, "tid": 1, "ts": 3,
     "args": {"Device Type": 1, "Device Id": 0, "Addr": 1, "Bytes": 512, "Total Allocated": 512}},
    {"ph": "s", "cat": "fwdbwd", "name": "arrow", "id": 1, "ts": 4, "pid": 1, "tid": 1},
    {"ph": "X", "name": "work", "cat": "kernel", "ts": 10, "dur": 10, "pid": 0, "tid": 7,
     "args": {"device": 0, "stream": 7}},
    {"ph": "X", "name": "empty", "cat": "cpu_op", "ts": 20, "dur": 0, "pid": 1, "tid": 1},
    {"ph": "i", "s": "t", "name": "at the end", "ts": 20, "pid": 1, "tid": 1},
    {"ph": "f", "bp": "e", "cat": "fwdbwd", "name": "arrow", "id": 1, "ts": 30, "pid": 1, "tid": 1},
    {"ph": "C", "name": "late", "ts": 500, "pid": 1, "args": {"v": 2}}]})";

}  // namespace

class CutWholeTest final : public QObject {
    Q_OBJECT

private slots:
    void init() {
        std::ofstream(path("in.json")) << kSparse;
        m_trace = import::loadTrace(path("in.json")).value();
    }

    // A window that leaves no slice out leaves nothing out.
    void aCutOfTheWholeTraceKeepsEveryEvent_data() {
        QTest::addColumn<QString>("window");
        QTest::newRow("trace") << QStringLiteral("trace");
        QTest::newRow("gpu") << QStringLiteral("gpu");
        QTest::newRow("range") << QStringLiteral("0..11");
    }
    void aCutOfTheWholeTraceKeepsEveryEvent() {
        QFETCH(QString, window);
        const Json events = cut(window.toStdString());
        QCOMPARE(events, Json::parse(kSparse).at("traceEvents"));
    }

    void aPartKeepsWhatIsInside() {
        std::vector<std::string> names;
        for (const Json& event : cut("0..9")) {
            names.push_back(event.at("name"));
        }
        QCOMPARE(names, std::vector<std::string>{"work"});
    }

private:
    [[nodiscard]] std::string path(const char* name) const {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
    [[nodiscard]] Json cut(const std::string& window) const {
        cut::CutOptions options;
        options.window = analysis::parseWindow(window).value();
        options.output = path("out.json");
        const auto summary = cut::cutTrace(*m_trace, options);
        if (!summary) {
            throw std::runtime_error(summary.error().message);
        }
        std::ifstream file(path("out.json"));
        return Json::parse(file).at("traceEvents");
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const trace::Trace> m_trace;
};

QTEST_APPLESS_MAIN(CutWholeTest)
#include "CutWholeTest.moc"
