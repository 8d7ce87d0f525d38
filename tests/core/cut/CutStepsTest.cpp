// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <string>

#include "core/analysis/Steps.h"
#include "core/cut/Cut.h"
#include "core/import/load/LoadTrace.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;

class CutStepsTest final : public QObject {
    Q_OBJECT

private slots:
    void stepsOfACutAreThoseInItsWindow_data();
    void stepsOfACutAreThoseInItsWindow();
    void windowThatIsNoneIsIgnored_data();
    void windowThatIsNoneIsIgnored();

private:
    /// The names of the steps in what is cut from `trace` to the file `name`, which is read again.
    [[nodiscard]] QString cutSteps(std::shared_ptr<const trace::Trace>& trace,
                                   const QString& window, const char* name) const;

    QTemporaryDir m_folder;
};

namespace {

std::string slice(const std::string& name, const char* category, const char* track, int start,
                  int duration, int correlation = 0) {
    const std::string args =
        correlation > 0 ? R"(, "args": {"correlation": )" + std::to_string(correlation) + "}" : "";
    return R"({"ph": "X", "name": ")" + name + R"(", "cat": ")" + category + R"(", )" + track +
           R"(, "ts": )" + std::to_string(start) + R"(, "dur": )" + std::to_string(duration) +
           args + "}";
}

/// Three steps of a thread, in microseconds, and their kernels, two of which end late:
///     0    10   20   30   40
///     [#0.........][#1.........][#2......]
///                [k1......]   [k2..] [k3]
std::string threeSteps(const std::string& name, const std::string& keys = {}) {
    constexpr const char* kThread = R"("pid": 9, "tid": 9)";
    constexpr const char* kStream = R"("pid": 0, "tid": 7)";
    return "{" + keys + R"("traceEvents": [)" +
           slice(name + "#0", "user_annotation", kThread, 0, 14) + "," +
           slice(name + "#1", "user_annotation", kThread, 15, 14) + "," +
           slice(name + "#2", "user_annotation", kThread, 30, 9) + "," +
           slice("launch", "cuda_runtime", kThread, 1, 6, 1) + "," +
           slice("launch", "cuda_runtime", kThread, 20, 6, 2) + "," +
           slice("launch", "cuda_runtime", kThread, 31, 6, 3) + "," +
           slice("k1", "kernel", kStream, 13, 10, 1) + "," +
           slice("k2", "kernel", kStream, 30, 5, 2) + "," +
           slice("k3", "kernel", kStream, 36, 1, 3) + "]}";
}

QString stepsOf(const trace::Trace& trace) {
    QStringList names;
    for (const analysis::Step& step : analysis::findSteps(trace)) {
        names.append(QString::fromStdString(step.name));
    }
    return names.join(QLatin1Char(' '));
}

}  // namespace

QString CutStepsTest::cutSteps(std::shared_ptr<const trace::Trace>& trace, const QString& window,
                               const char* name) const {
    cut::CutOptions options;
    options.window = analysis::parseWindow(window.toStdString()).value();
    options.output = m_folder.filePath(QString::fromLatin1(name)).toStdString();
    if (const auto done = cut::cutTrace(*trace, options); !done) {
        return QString::fromStdString(done.error().message);
    }
    trace = import::loadTrace(options.output).value();
    return stepsOf(*trace);
}

void CutStepsTest::stepsOfACutAreThoseInItsWindow_data() {
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("window");
    QTest::addColumn<QString>("inside");
    // A lone annotation needs a neighbour to be recognised, which does not count.
    QTest::newRow("first annotation") << "run"
                                      << "step:0"
                                      << "run#0";
    QTest::newRow("last annotation") << "run"
                                     << "step:2"
                                     << "run#2";
    // The step before has work in this one, and the step after begins before this one's work ends.
    QTest::newRow("overlapping annotations") << "run"
                                             << "step:1"
                                             << "run#1";
    QTest::newRow("late work of the step before") << "run"
                                                  << "15..29"
                                                  << "run#1";
    QTest::newRow("profiler steps") << "ProfilerStep"
                                    << "step:1"
                                    << "ProfilerStep#1";
    QTest::newRow("parts at both ends") << "ProfilerStep"
                                        << "1..37"
                                        << "ProfilerStep#1";
    // Without a whole one those that it has parts of.
    QTest::newRow("part of a step") << "run"
                                    << "20..22"
                                    << "run#1";
    QTest::newRow("parts of two") << "run"
                                  << "25..31"
                                  << "run#1 run#2";
    QTest::newRow("all") << "run"
                         << "trace"
                         << "run#0 run#1 run#2";
}

void CutStepsTest::stepsOfACutAreThoseInItsWindow() {
    QFETCH(QString, steps);
    QFETCH(QString, window);
    QFETCH(QString, inside);
    QFile file(m_folder.filePath(QStringLiteral("whole.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(threeSteps(steps.toStdString())));
    file.close();
    auto trace = import::loadTrace(file.fileName().toStdString()).value();
    QCOMPARE(cutSteps(trace, window, "part.json"), inside);
    // What is cut out of a cut has no others.
    QCOMPARE(cutSteps(trace, QStringLiteral("trace"), "again.json"), inside);
    if (window.startsWith(QLatin1String("step:"))) {
        QCOMPARE(cutSteps(trace, window, "third.json"), inside);
    }
}

void CutStepsTest::windowThatIsNoneIsIgnored_data() {
    QTest::addColumn<QString>("origin");
    for (const char* origin :
         {"7", "[]", "{}", R"({"start_ns": 0})", R"({"start_ns": "0", "end_ns": 9})",
          R"({"start_ns": 9, "end_ns": 8})", R"({"start_ns": 0, "end_ns": 1e300})"}) {
        QTest::newRow(origin) << QString::fromLatin1(origin);
    }
}

void CutStepsTest::windowThatIsNoneIsIgnored() {
    QFETCH(QString, origin);
    const std::string key = R"("kinetoscopeCut": )" + origin.toStdString() + ", ";
    const auto trace = test::importText(threeSteps("run", key)).value();
    QCOMPARE(stepsOf(*trace), QStringLiteral("run#0 run#1 run#2"));
}

QTEST_APPLESS_MAIN(CutStepsTest)
#include "CutStepsTest.moc"
