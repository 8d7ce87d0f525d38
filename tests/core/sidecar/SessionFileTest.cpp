// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <random>
#include <string>

#include "core/analysis/Window.h"
#include "core/sidecar/SessionFile.h"

using namespace kinetoscope;
using namespace kinetoscope::sidecar;

class SessionFileTest final : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString file() const { return m_folder->filePath("work.kscopes"); }
    [[nodiscard]] std::string path() const { return file().toStdString(); }
    [[nodiscard]] std::string inFolder(const char* name) const {
        return m_folder->filePath(name).toStdString();
    }
    void write(const QByteArray& text) const {
        QFile out(file());
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(text), text.size());
    }
    [[nodiscard]] QByteArray content() const {
        QFile in(file());
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray("(no file)");
    }
    [[nodiscard]] SavedSession example() const {
        SavedSession session;
        session.files = {{.path = inFolder("a/before.json.gz"),
                          .visible = TimeSpan{-5, 1'700'000'000'000'000'001},
                          .window = "7ns..9ns",
                          .tracks = {3, 0},
                          .selected = SavedSlice{12, 8, "aten::mm \"x\""},
                          .highlighted = SavedSlice{3, -4, "größer"},
                          .rows = {.folded = {"process 9"},
                                   .hidden = {"thread 1", "GPU 0"},
                                   .pinned = {"stream 7"},
                                   .order = {{"", {"b", "a"}}, {"GPU 0", {"stream 7"}}},
                                   .filter = "/stream|main/"},
                          .top = SavedTop{"thread 2", 11}},
                         {.path = "/elsewhere/after.json", .sample = SavedSlice{4, 5, "bytes"}},
                         {.path = "/elsewhere/gap.json", .gap = SavedGap{3, {-7, 9}}},
                         {.path = "/elsewhere/instant.json", .instant = SavedSlice{1, 2, "i"}}};
        session.current = 1;
        session.jobs = {{.paths = {inFolder("a"), "/elsewhere/rank0.json"},
                         .figure = "waited",
                         .order = 1,
                         .groups = 2}};
        session.jobInFront = true;
        session.others = {inFolder("cache")};
        session.comparison = SavedComparison{inFolder("a/before.json.gz"),
                                             {"/elsewhere/after.json", "bench of Monday"},
                                             1,
                                             true,
                                             "step",
                                             "exact",
                                             false,
                                             {{.path = inFolder("a/before.json.gz"),
                                               .visible = TimeSpan{3, 9},
                                               .selected = SavedSlice{7, 4, "gemm"}},
                                              {.path = "/elsewhere/after.json"}},
                                             "annotation",
                                             "forward",
                                             -12,
                                             "gemm"};
        session.layout = "AAAA//8=";
        return session;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void whatIsSavedIsReadAgain() {
        QVERIFY(writeSession(path(), example()).has_value());
        const auto read = readSession(path());
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QVERIFY(*read == example());
        QVERIFY2(content().contains("\"a/before.json.gz\""), content().constData());
        QVERIFY(writeSession(path(), {}).has_value());
        QVERIFY(*readSession(path()) == SavedSession());
    }

    /// Moved together with its traces, a session finds those at the new place.
    void pathsBesideItArePreferred() {
        QVERIFY(QDir(m_folder->path()).mkpath("one/a"));
        QFile trace(m_folder->filePath("one/a/before.json.gz"));
        QVERIFY(trace.open(QIODevice::WriteOnly));
        SavedSession session;
        session.files = {{.path = inFolder("one/a/before.json.gz")}};
        QVERIFY(writeSession(inFolder("one/w.kscopes"), session).has_value());
        QVERIFY(QDir(m_folder->path()).rename("one", "two"));
        QCOMPARE(readSession(inFolder("two/w.kscopes"))->files[0].path,
                 inFolder("two/a/before.json.gz"));
        // Alone at another place, it still knows where they were.
        QVERIFY(QFile::rename(m_folder->filePath("two/w.kscopes"), file()));
        QCOMPARE(readSession(path())->files[0].path, inFolder("one/a/before.json.gz"));
    }

    void whatIsNoSessionIsSaid_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("why");
        const QByteArray head = R"({"schema":"kinetoscope.session/1")";
        QTest::newRow("empty") << QByteArray() << "valid JSON";
        QTest::newRow("cut") << head << "valid JSON";
        QTest::newRow("other") << QByteArray(R"({"traceEvents":1})")
                               << "is not a Kinetoscope session";
        QTest::newRow("later") << QByteArray(R"({"schema":"kinetoscope.session/2"})")
                               << "another version";
        QTest::newRow("no files") << head + "}"
                                  << "does not list its files";
        QTest::newRow("files none") << head + R"(,"files":{}})"
                                    << "does not list its files";
        QTest::newRow("file none") << head + R"(,"files":[5]})"
                                   << "has a file (0) without a path";
        QTest::newRow("no path") << head + R"(,"files":[{"path":7}]})"
                                 << "without a path";
        QTest::newRow("many") << head + ",\"files\":[" + QByteArray("{},").repeated(1000) + "{}]}"
                              << "1000 at most";
        QTest::newRow("deep") << head + ",\"files\":" + QByteArray(200, '[') +
                                     QByteArray(200, ']') + "}"
                              << "nest";
    }
    void whatIsNoSessionIsSaid() {
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        write(text);
        const auto read = readSession(path());
        QVERIFY(!read);
        const QString message = QString::fromStdString(read.error().message);
        QVERIFY2(message.contains(why) && message.contains("work.kscopes"), qPrintable(message));
    }

    /// Wrong values of a file's view are those of a file that was never looked at.
    void oddValuesAreLeftOut() {
        write(R"({"schema":"kinetoscope.session/1","files":[{"absolute":"/a",)"
              R"("visible_ns":[5,5],"tracks":[-1,18446744073709551615,{}],"window":"nonsense",)"
              R"("selected":{"slice":-3},"highlighted":[1],"selected_gap":{"gpu":-1,)"
              R"("span_ns":[1,2]},"selected_sample":7,"selected_instant":{"start_ns":1e99},)"
              R"("rows":{"folded":7,"hidden":[1,{}],"order":{"a":[2]},"filter":[]},)"
              R"("top":{"row":5}}],"current":-4,"others":[1,{}],)"
              R"("comparison":{"baseline":{}},"layout":{}})");
        const auto read = readSession(path());
        QVERIFY(read.has_value());
        QCOMPARE(read->files.size(), std::size_t{1});
        QVERIFY(read->files[0] == SavedFile{.path = "/a"});
        QVERIFY(read->current == 0 && read->others.empty() && !read->comparison);
        QVERIFY(read->layout.empty());
    }

    /// Lists of rows that would take for ever are left out, others of the same file stay.
    void moreRowsThanAnyoneChoosesAreLeftOut() {
        SavedSession session;
        session.files = {{.path = "/a"}};
        SavedRows& rows = session.files[0].rows;
        rows.pinned.assign(kMaxSavedPins + 1, "x");
        rows.hidden = {"y"};
        rows.filter.assign(kMaxSavedFilterBytes + 1, 'z');
        QVERIFY(writeSession(path(), session).has_value());
        const auto read = readSession(path());
        QVERIFY(read.has_value());
        QVERIFY(read->files[0].rows == SavedRows{.hidden = {"y"}});
    }

    /// Written before rows and other selections were kept, and before marks without a comparison.
    void olderSessionsAreRead() {
        write(R"({"schema":"kinetoscope.session/1","files":[{"absolute":"/a","window":"gpu",)"
              R"("visible_ns":[5,7]}],"comparison":{"baseline":{"absolute":"/a"},)"
              R"("candidates":[{"absolute":"/b"}],"shown":0},"current":0,"layout":""})");
        const auto read = readSession(path());
        QVERIFY(read.has_value());
        QVERIFY((read->files[0] == SavedFile{.path = "/a", .visible = TimeSpan{5, 7}}));
        QVERIFY(read->comparison && read->comparison->compared);
    }

    void hugeFilesAndPipesAreNotRead() {
        QFile out(file());
        QVERIFY(out.open(QIODevice::WriteOnly));
        QVERIFY(out.resize(static_cast<qint64>(kMaxSessionBytes) + 1));
        out.close();
        QVERIFY(readSession(path()).error().message.find("has more than") != std::string::npos);
        QVERIFY(QFile::remove(file()));
        QVERIFY(readSession(path()).error().message.find("does not exist") != std::string::npos);
        QCOMPARE(::mkfifo(path().c_str(), 0600), 0);
        QVERIFY(readSession(path()).error().message.find("not a regular file") !=
                std::string::npos);
    }

    void namesThatJsonCannotHoldAreSaid() {
        SavedSession session;
        session.files = {{.path = "/tmp/\xff.json"}};
        const auto written = writeSession(path(), session);
        QVERIFY(!written && written.error().kind == ErrorKind::Output);
        QVERIFY2(written.error().message.find("\\xff") != std::string::npos,
                 written.error().message.c_str());
        QVERIFY(!QFile::exists(file()));
    }

    void anyDamageIsReadOrSaid() {
        QVERIFY(writeSession(path(), example()).has_value());
        const QByteArray good = content();
        std::mt19937 random(21);
        for (int i = 0; i < 500; ++i) {
            QByteArray bad = good;
            for (auto changes = 1 + random() % 3; changes > 0; --changes) {
                bad[static_cast<qsizetype>(random() % static_cast<unsigned>(bad.size()))] =
                    static_cast<char>(random());
            }
            write(bad);
            const auto read = readSession(path());
            QVERIFY(read || !read.error().message.empty());
            for (const SavedFile& one : read ? read->files : std::vector<SavedFile>()) {
                QVERIFY(!one.path.empty() && analysis::parseWindow(one.window).has_value());
            }
        }
    }

    void windowsAreTextsAndBack() {
        for (const char* text : {"gpu", "trace", "step:12", "0ns..1ns", "1500ns..2000001ns"}) {
            QCOMPARE(analysis::windowText(*analysis::parseWindow(text)), std::string(text));
        }
        QCOMPARE(analysis::windowText(*analysis::parseWindow("1.5us..2ms")),
                 std::string("1500ns..2000000ns"));
        analysis::WindowChoice before;
        before.kind = analysis::WindowKind::Range;
        before.range = {-9, -3};
        QVERIFY(analysis::parseWindow(analysis::windowText(before)).has_value());
    }
};

QTEST_APPLESS_MAIN(SessionFileTest)
#include "SessionFileTest.moc"
