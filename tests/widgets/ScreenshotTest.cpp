// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

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

/// Runs the program as on a machine without a display; by way of a shell where one is given: a line
/// in which "$@" are the words.
Ended runProgram(QStringList arguments, const QString& home, const QString& shell = {}) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"}) {
        environment.remove(QString::fromLatin1(name));
    }
    environment.insert("XDG_CONFIG_HOME", home);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(home);
    arguments.prepend(KINETOSCOPE_PROGRAM);
    if (!shell.isEmpty()) {
        arguments = QStringList{"sh", "-c", shell, "sh"} + arguments;
    }
    process.start(arguments.first(), arguments.mid(1));
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

    void aPipeGetsThePictureAndStaysOne() {
        const QString pipe = m_folder.filePath("pipe.png");
        const QString copy = m_folder.filePath("copy.png");
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        const Ended ended = runProgram(
            {"--screenshot", pipe, "--panel", "kernels", "--size", "640x480", samplePath()},
            m_folder.path(), "cat pipe.png > copy.png & \"$@\" && wait");
        QVERIFY2(ended.code == 0 && ended.err.isEmpty(), qPrintable(ended.err));
        QCOMPARE(QImage(copy).size(), QSize(640, 480));
        struct stat known {};
        QVERIFY(::lstat(QFile::encodeName(pipe).constData(), &known) == 0 &&
                S_ISFIFO(known.st_mode));
        const Ended out = runProgram({"--screenshot", "/dev/stdout", "--panel", "kernels", "--size",
                                      "640x480", samplePath()},
                                     m_folder.path(), "\"$@\" | cat > out.png");
        QVERIFY2(out.code == 0 && out.err.isEmpty(), qPrintable(out.err));
        QCOMPARE(QImage(m_folder.filePath("out.png")).size(), QSize(640, 480));
    }

    void aFullDeviceEndsWithOneAndStaysADevice() {
        // A node of our own where there may be one, as a program that gets it wrong replaces it.
        QString full = m_folder.filePath("full");
        const dev_t likeDevFull = makedev(1, 7);
        if (::mknod(QFile::encodeName(full).constData(), S_IFCHR | 0666, likeDevFull) != 0 ||
            !QFile(full).open(QIODevice::WriteOnly | QIODevice::ExistingOnly)) {
            full = QStringLiteral("/dev/full");
            if (::geteuid() == 0) {
                QSKIP("no devices can be made here");
            }
        }
        const Ended ended = runProgram({"--screenshot", full, samplePath()}, m_folder.path());
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.err.contains("cannot write") && ended.err.count('\n') == 1,
                 qPrintable(ended.err));
        struct stat known {};
        QVERIFY(::lstat(QFile::encodeName(full).constData(), &known) == 0 &&
                S_ISCHR(known.st_mode));
        QCOMPARE(runProgram({"--help"}, m_folder.path(), "\"$@\" > " + full).code, 1);
    }

    void aFileMayBeginWithADash() {
        QVERIFY(QFile::copy(samplePath(), m_folder.filePath("--help.json.gz")));
        const Ended ended =
            runProgram({"--screenshot", m_folder.filePath("dash.png"), "--", "--help.json.gz"},
                       m_folder.path());
        QVERIFY2(ended.code == 0 && ended.err.isEmpty(), qPrintable(ended.err));
        QVERIFY(!QImage(m_folder.filePath("dash.png")).isNull());
    }

    void wordsBehindTheDashesAreNoneOfQt() {
        QVERIFY(QFile::copy(samplePath(), m_folder.filePath("-platform")));
        QVERIFY(QFile::copy(samplePath(), m_folder.filePath("nowhere")));
        const Ended ended = runProgram({"--screenshot", m_folder.filePath("two.png"), "--compare",
                                        "--", "-platform", "nowhere"},
                                       m_folder.path());
        QVERIFY2(ended.code == 0 && ended.err.isEmpty(), qPrintable(ended.err));
    }

    void nobodyNeedsToReadTheMessages_data() {
        QTest::addColumn<QString>("shell");
        QTest::newRow("closed") << "\"$@\" 2>&-";
        QTest::newRow("full") << "\"$@\" 2>/dev/full";
        QTest::newRow("gone") << "{ \"$@\"; echo $? > code; } 2>&1 >/dev/null | true; "
                                 "read code < code; exit $code";
    }
    void nobodyNeedsToReadTheMessages() {
        QFETCH(QString, shell);
        const QString path = m_folder.filePath("unheard.png");
        QFile::remove(path);
        QCOMPARE(runProgram({"--screenshot", path, samplePath()}, m_folder.path(), shell).code, 0);
        QVERIFY(!QImage(path).isNull());
        QCOMPARE(runProgram({"--screenshot", path, "/no/such"}, m_folder.path(), shell).code, 2);
        QCOMPARE(runProgram({samplePath()}, m_folder.path(), shell).code, 2);
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
