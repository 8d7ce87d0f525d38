// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "tests/widgets/WindowTestSupport.h"

using namespace kinetoscope;

namespace {

struct Ended {
    int code = -1;
    QString out;
    QString err;
};

/// Runs the program as on a machine without a display.
Ended runProgram(const QStringList& arguments, const QString& home) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"}) {
        environment.remove(QString::fromLatin1(name));
    }
    environment.insert("XDG_CONFIG_HOME", home);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(KINETOSCOPE_PROGRAM, arguments);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit) {
        return {};
    }
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

std::size_t colourCount(const QImage& image) {
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3) {
            colours.insert(image.pixel(x, y));
        }
    }
    return colours.size();
}

}  // namespace

class ScreenshotTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }

    void theWholeWindowIsDrawn() {
        const QString path = m_folder.filePath("window.png");
        const Ended ended = runProgram(
            {"--screenshot", path, "--size", "1200x800", "--theme", "light", samplePath()},
            m_folder.path());
        QVERIFY2(ended.code == 0, qPrintable(ended.err));
        QCOMPARE(ended.err, QString());
        const QImage image(path);
        QCOMPARE(image.size(), QSize(1200, 800));
        QVERIFY2(colourCount(image) > 100, qPrintable(QString::number(colourCount(image))));
    }

    void everyPanelIsDrawn_data() {
        QTest::addColumn<QString>("panel");
        for (const char* panel : {"summary", "details", "kernels", "steps", "log", "bench", "table",
                                  "operators", "modules", "timeline"}) {
            QTest::newRow(panel) << QString::fromLatin1(panel);
        }
    }
    void everyPanelIsDrawn() {
        QFETCH(QString, panel);
        const QString path = m_folder.filePath(panel + ".png");
        const Ended ended = runProgram({"--screenshot", path, "--panel", panel, "--size", "640x480",
                                        "--theme", "dark", "--select", "nvjet", samplePath()},
                                       m_folder.path());
        QVERIFY2(ended.code == 0 && ended.err.isEmpty(), qPrintable(ended.err));
        const QImage image(path);
        QCOMPARE(image.size(), QSize(640, 480));
        QVERIFY(qGray(image.pixel(635, 475)) < 100);
        QVERIFY2(colourCount(image) > 10, qPrintable(QString::number(colourCount(image))));
    }

    void mistakesEndWithOneLineAndTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const QString png = m_folder.filePath("never.png");
        QTest::newRow("unknown panel")
            << QStringList{"--screenshot", png, "--panel", "nope", samplePath()} << "nope";
        QTest::newRow("no such file")
            << QStringList{"--screenshot", png, "/no/such/trace.json"} << "/no/such/trace.json";
        QTest::newRow("no such slice")
            << QStringList{"--screenshot", png, "--select", "unheard-of", samplePath()}
            << "unheard-of";
        QTest::newRow("unknown option") << QStringList{"--nonsense"} << "nonsense";
        QTest::newRow("no display") << QStringList{samplePath()} << "display";
    }
    void mistakesEndWithOneLineAndTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        const Ended ended = runProgram(arguments, m_folder.path());
        QCOMPARE(ended.code, 2);
        QCOMPARE(ended.err.count('\n'), 1);
        QVERIFY2(ended.err.startsWith("kinetoscope: ") && ended.err.contains(said),
                 qPrintable(ended.err));
        QVERIFY(!QFile::exists(m_folder.filePath("never.png")));
    }

    void aPictureThatCannotBeWrittenEndsWithOne() {
        const Ended ended = runProgram(
            {"--screenshot", m_folder.filePath("no/folder/x.png"), samplePath()}, m_folder.path());
        QCOMPARE(ended.code, 1);
        QVERIFY(ended.err.contains("cannot write"));
    }

    void helpAndVersionAreOnStdout() {
        const Ended help = runProgram({"--help"}, m_folder.path());
        QCOMPARE(help.code, 0);
        QVERIFY(help.out.contains("--screenshot") && help.err.isEmpty());
        const Ended version = runProgram({"--version"}, m_folder.path());
        QCOMPARE(version.code, 0);
        QVERIFY(version.out.startsWith("kinetoscope "));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(ScreenshotTest)
#include "ScreenshotTest.moc"
