// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <QAbstractItemView>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <memory>
#include <set>
#include "tests/Patience.h"

#include "app/kinetoscope/PanelRegistry.h"
#include "core/query/find/Search.h"
#include "tests/widgets/PanelMaterial.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/FigureTile.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;

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

/// How many of a hundred pixels are others.
double percentChanged(const QImage& one, const QImage& other) {
    int changed = 0;
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x) {
            changed += one.pixel(x, y) != other.pixel(x, y) ? 1 : 0;
        }
    }
    return 100.0 * changed / (one.width() * one.height());
}

/// What can be read on a panel: labels, tiles, texts, headers and cells, those in view.
QString visibleTexts(const QWidget& panel) {
    QStringList texts;
    for (const QWidget* widget : panel.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&panel)) {
            continue;
        }
        if (const auto* edit = qobject_cast<const QPlainTextEdit*>(widget)) {
            texts += edit->toPlainText();
        } else if (const auto* view = qobject_cast<const QAbstractItemView*>(widget);
                   view != nullptr && view->model() != nullptr &&
                   qobject_cast<const QHeaderView*>(widget) == nullptr) {
            const QAbstractItemModel& model = *view->model();
            for (int column = 0; column < model.columnCount(); ++column) {
                texts += model.headerData(column, Qt::Horizontal).toString();
                for (int row = 0; row < model.rowCount(); ++row) {
                    const QModelIndex index = model.index(row, column);
                    if (view->visualRect(index).intersects(view->viewport()->rect())) {
                        texts += index.data().toString();
                    }
                }
            }
        } else if (const auto* tile = qobject_cast<const style::FigureTile*>(widget)) {
            texts += tile->text();
        } else if (const auto* line = qobject_cast<const style::ElidedLabel*>(widget)) {
            texts += line->text();
        } else {
            texts += widget->property("text").toString();
        }
    }
    return texts.join('\n');
}

/// A window in which this was opened and everything about it computed.
struct OpenWindow {
    explicit OpenWindow(const PanelMaterial& material) {
        window.resize(1400, 1000);
        window.show();
        window.session().find().setText(material.find);
        if (material.compare) {
            window.openToCompare(material.files);
        } else {
            window.openFiles(material.files);
        }
        ready = waitFor([&] { return !window.loader().isLoading(); });
        if (material.compare) {
            window.compareFiles(material.files);
            ready = ready && waitFor([&] { return !window.session().compare().busy(); });
        }
        if (!material.select.isEmpty()) {
            const auto found =
                query::findSlices(*window.view().trace(), material.select.toStdString());
            window.view().select(found->front());
        }
        if (material.prepare) {
            material.prepare(window);
        }
    }
    /// The panel alone, so large that nothing of it is hidden; as --screenshot takes it.
    std::unique_ptr<panels::Panel> takeOut(const QString& id) {
        window.docks().showPanel(id);
        ready = ready && waitFor([&] {
                    return !window.session().reports().busy() && !window.docks().busy();
                });
        std::unique_ptr<panels::Panel> panel(window.docks().panel(id));
        if (panel) {
            panel->setParent(nullptr);
            panel->resize(1600, 900);
            panel->show();
        }
        QTest::qWait(250);  // delayed layouts
        return panel;
    }

    session::Settings settings{session::Settings::InMemory{}};
    MainWindow window{settings};
    bool ready = false;
};

}  // namespace

class ScreenshotTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        // No results of whoever runs this, and none that are kept.
        qputenv("KINETOSCOPE_RESULTS", m_folder.filePath("results").toUtf8());
        qputenv("KINETOSCOPE_STORE", m_folder.filePath("baselines").toUtf8());
        style::applyTheme(style::ThemeChoice::Light);
        m_material = panelMaterial(m_folder.path());
        QFile empty(m_folder.filePath("empty.json"));
        QVERIFY(empty.open(QIODevice::WriteOnly));
        empty.write("{\"traceEvents\":[]}");
    }
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

    void everyPanelShowsWhatItIsFor_data() {
        QTest::addColumn<QString>("panel");
        for (const panels::PanelEntry& entry : panelTable()) {
            QTest::newRow(entry.id) << QString::fromLatin1(entry.id);
        }
    }
    void everyPanelShowsWhatItIsFor() {
        QFETCH(QString, panel);
        QVERIFY2(m_material.contains(panel), "say in PanelMaterial.h what it must show");
        const PanelMaterial& material = m_material[panel];
        OpenWindow filled(material);
        OpenWindow empty({});
        const auto full = filled.takeOut(panel);
        const auto bare = empty.takeOut(panel);
        QVERIFY(filled.ready && empty.ready && full && bare);
        const QString texts = visibleTexts(*full);
        const QString without = visibleTexts(*bare);
        QVERIFY(!material.texts.empty());
        for (const QString& text : material.texts) {
            QVERIFY2(texts.contains(text), qPrintable(text + " is not in " + texts.left(2000)));
            QVERIFY2(!without.contains(text), qPrintable(text + " is there without a file"));
        }
        const QImage picture = full->grab().toImage();
        const QImage ground = bare->grab().toImage();
        QCOMPARE(picture.size(), ground.size());
        const double changed = percentChanged(picture, ground);
        QVERIFY2(changed > 0.05, qPrintable(QString::number(changed)));
    }

    void everyPanelIsDrawn_data() {
        QTest::addColumn<QString>("panel");
        QTest::newRow("timeline") << "timeline";
        everyPanelShowsWhatItIsFor_data();
    }
    void everyPanelIsDrawn() {
        QFETCH(QString, panel);
        const PanelMaterial material = m_material.value(panel, {{samplePath()}, {}});
        const auto pictureOf = [&](const QStringList& files, const PanelMaterial& with) {
            const QString path = m_folder.filePath(panel + ".png");
            QStringList arguments{"--screenshot", path,       "--panel", panel,
                                  "--size",       "1200x480", "--theme", "dark"};
            arguments += with.compare ? QStringList{"--compare"} : QStringList();
            arguments +=
                with.select.isEmpty() ? QStringList() : QStringList{"--select", with.select};
            arguments += with.find.isEmpty() ? QStringList() : QStringList{"--find", with.find};
            const Ended ended = runProgram(arguments + files, m_folder.path());
            return ended.code == 0 && ended.err.isEmpty() ? QImage(path) : QImage();
        };
        const QImage empty = pictureOf({m_folder.filePath("empty.json")}, {});
        QCOMPARE(empty.size(), QSize(1200, 480));
        QVERIFY(qGray(empty.pixel(1195, 475)) < 100);
        if (material.files.empty() || material.byHandOnly) {
            return;
        }
        const QImage picture = pictureOf(material.files, material);
        QCOMPARE(picture.size(), QSize(1200, 480));
        const double changed = percentChanged(picture, empty);
        QVERIFY2(changed > 0.3, qPrintable(QString::number(changed)));
    }

    void aNameMayAskForVectors() {
        const QString path = m_folder.filePath("kernels.svg");
        const Ended ended = runProgram(
            {"--screenshot", path, "--panel", "kernels", "--size", "2600x600", samplePath()},
            m_folder.path());  // so wide that no name gives way
        QVERIFY2(ended.code == 0, qPrintable(ended.err));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.startsWith("<?xml") && svg.contains("<text"));
        QVERIFY(svg.contains("embedding_backward_feature_kernel"));
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
        QTest::newRow("no display") << QStringList{samplePath()} << "DISPLAY";
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
        QVERIFY(ended.err.contains("cannot be written"));
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
        QVERIFY2(ended.err.contains("cannot be written") && ended.err.count('\n') == 1,
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
    QMap<QString, PanelMaterial> m_material;
};

QTEST_MAIN(ScreenshotTest)
#include "ScreenshotTest.moc"
