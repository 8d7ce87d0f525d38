// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <random>
#include <string>
#include <thread>

#include "core/sidecar/Sidecar.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::sidecar;

namespace {

const EnteredRun kBert{0.327, 100, "bert"};

std::string nested(int depth) {
    return R"({"schema":"kinetoscope.sidecar/1","marks":)" +
           std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
}

/// A document with this run; quotes may be single.
QByteArray withRun(QByteArray run) {
    return "{\"schema\":\"kinetoscope.sidecar/1\",\"run\":" + run.replace('\'', '"') + "}";
}

/// The file holds this and nothing else afterwards.
Result<Sidecar> writeSidecar(const std::string& trace, const Sidecar& whole) {
    return changeSidecar(trace, [&whole](Sidecar& kept) { kept = whole; });
}

}  // namespace

class SidecarTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void whatIsEnteredIsReadAgain();
    void nothingEnteredLeavesNoFile();
    void membersOfLaterReleasesStay();
    void aFolderKeepsItInside();
    void onePartAloneIsKept();
    void whatIsNoSidecarIsSaidAndLeftAlone_data();
    void whatIsNoSidecarIsSaidAndLeftAlone();
    void aHugeFileIsNotRead();
    void aPipeIsNotWaitedFor();
    void aLinkDoesNotLeadToOtherFiles();
    void aFolderThatCannotBeWrittenIsSaid();
    void notesAreReadAgain();
    void notesKeepWhatLaterReleasesSayOfThem();
    void writersLoseNothingOfEachOther();
    void notesThatDoNotFitAreSaid();
    void aNameIsOneLine();
    void anyDamageIsReadOrSaid();
    void optionsHaveTheirDefaults();

private:
    [[nodiscard]] std::string trace() const {
        return m_folder->filePath(QStringLiteral("train.json.gz")).toStdString();
    }
    [[nodiscard]] QString file() const { return QString::fromStdString(sidecarPath(trace())); }
    void write(const QByteArray& text) const {
        QFile out(file());
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(text), text.size());
    }
    [[nodiscard]] QByteArray content() const {
        QFile in(file());
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray("(no file)");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void SidecarTest::whatIsEnteredIsReadAgain() {
    QCOMPARE(file(), m_folder->filePath("train.json.gz.kinetoscope"));
    QVERIFY(readSidecar(trace())->run == EnteredRun());
    QVERIFY(writeSidecar(trace(), {kBert}).has_value());
    QVERIFY(readSidecar(trace())->run == kBert);
    QVERIFY2(content().contains("\"kinetoscope.sidecar/1\""), content().constData());
    QVERIFY(writeSidecar(trace(), {{0.1, kMaxRuns, "größer"}}).has_value());
    QVERIFY(readSidecar(trace())->run == EnteredRun({0.1, kMaxRuns, "größer"}));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
}

void SidecarTest::nothingEnteredLeavesNoFile() {
    QVERIFY(writeSidecar(trace(), {}).has_value());
    QVERIFY(!QFile::exists(file()));
    QVERIFY(writeSidecar(trace(), {kBert}).has_value());
    QVERIFY(QFile::exists(file()));
    QVERIFY(writeSidecar(trace(), {}).has_value());
    QVERIFY(!QFile::exists(file()));
}

void SidecarTest::membersOfLaterReleasesStay() {
    write(R"({"schema":"kinetoscope.sidecar/1","run":{"runs":3,"host":"a"},"later":["slow"]})");
    QVERIFY(readSidecar(trace())->run == EnteredRun({{}, 3, {}}));
    QVERIFY(writeSidecar(trace(), {kBert}).has_value());
    QVERIFY2(content().contains("slow") && content().contains("host"), content().constData());
    QVERIFY(writeSidecar(trace(), {}).has_value());
    QVERIFY2(content().contains("slow") && !content().contains("bert"), content().constData());
}

void SidecarTest::aFolderKeepsItInside() {
    const std::string folder = m_folder->path().toStdString();
    QCOMPARE(sidecarPath(folder), folder + "/trace.kinetoscope");
    QVERIFY(writeSidecar(folder, {kBert}).has_value());
    QVERIFY(readSidecar(folder)->run == kBert);
}

void SidecarTest::onePartAloneIsKept() {
    for (const EnteredRun& run :
         {EnteredRun{0.5, {}, {}}, EnteredRun{{}, 7, {}}, EnteredRun{{}, {}, "bert"}}) {
        QVERIFY(writeSidecar(trace(), {run}).has_value());
        QVERIFY(readSidecar(trace())->run == run);
    }
}

void SidecarTest::whatIsNoSidecarIsSaidAndLeftAlone_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("why");
    const auto add = [](const char* name, const QByteArray& text, const char* why) {
        QTest::newRow(name) << text << QString::fromLatin1(why);
    };
    add("empty", "", "valid JSON");
    const auto addNote = [&add](const char* name, QByteArray note, const char* why) {
        add(name,
            "{\"schema\":\"kinetoscope.sidecar/1\",\"notes\":" + note.replace('\'', '"') + "}",
            why);
    };
    addNote("notes are none", "{'a':1}", "not an array");
    addNote("note is none", "['slow']", "has a note (0) without");
    addNote("note without a text", "[{'start_ns':1,'end_ns':2}]", "has a note (0) without");
    addNote("note before itself", "[{'start_ns':3,'end_ns':2,'text':'a'}]", "has a note (0)");
    addNote("note of a broken time", "[{'start_ns':1.5,'end_ns':2,'text':'a'}]", "has a note (0)");
    addNote("note beyond time", "[{'start_ns':1,'end_ns':18446744073709551615,'text':'a'}]",
            "has a note (0)");
    addNote("second note", "[{'start_ns':1,'end_ns':1,'text':'a'},{'end_ns':2}]", "has a note (1)");
    addNote("long note", "[{'start_ns':1,'end_ns':1,'text':'" + QByteArray(2001, 'x') + "'}]",
            "at most 2000 bytes");
    add("damaged", R"({"schema":"kinetoscope.sidecar/1","ru)", "valid JSON");
    add("bytes", QByteArray("\xff\x00\x1b[2J", 6), "valid JSON");
    add("list", "[]", "object");
    add("deep", QByteArray::fromStdString(nested(200)), "nests deeper");
    add("no schema", "{}", "schema");
    add("schema is a number", R"({"schema":1})", "schema");
    add("another document", R"({"schema":"kinetoscope.report/1"})", "not a Kinetoscope sidecar");
    add("later version", R"({"schema":"kinetoscope.sidecar/2","run":{}})", "another version");
    add("run is a list", withRun("[]"), "object");
    add("run is null", withRun("null"), "object");
    add("wall is a text", withRun("{'wall_ms':'0.3'}"), "wall_ms");
    add("wall is 0", withRun("{'wall_ms':0}"), "wall_ms");
    add("wall is negative", withRun("{'wall_ms':-1}"), "wall_ms");
    add("wall is endless", withRun("{'wall_ms':1e300}"), "wall_ms");
    add("wall is not a number", withRun("{'wall_ms':1e999}"), "valid JSON");
    add("no runs", withRun("{'runs':0}"), "runs");
    add("half a run", withRun("{'runs':0.5}"), "runs");
    add("negative runs", withRun("{'runs':-3}"), "runs");
    add("too many runs", withRun("{'runs':1000000000001}"), "runs");
    add("name is a number", withRun("{'name':7}"), "name");
    add("long name", withRun("{'name':'" + QByteArray(kMaxNameBytes + 1, 'x') + "'}"), "name");
}

void SidecarTest::whatIsNoSidecarIsSaidAndLeftAlone() {
    QFETCH(const QByteArray, text);
    QFETCH(const QString, why);
    write(text);
    const auto read = readSidecar(trace());
    QVERIFY(!read);
    const QString message = QString::fromStdString(read.error().message);
    QVERIFY2(message.startsWith("'" + file() + "': ") && message.contains(why) &&
                 message.endsWith("; move it away to start a new one") && !message.contains('\n'),
             qPrintable(message));
    const auto written = writeSidecar(trace(), {kBert});
    QVERIFY(!written);
    QCOMPARE(QString::fromStdString(written.error().message), message);
    QCOMPARE(content(), text);
}

void SidecarTest::aHugeFileIsNotRead() {
    write("{");
    QVERIFY(QFile::resize(file(), qint64{1} << 34));
    const auto read = readSidecar(trace());
    QVERIFY(!read);
    QVERIFY2(read.error().message.find("more than 1024 KiB") != std::string::npos,
             read.error().message.c_str());
}

void SidecarTest::aPipeIsNotWaitedFor() {
    QCOMPARE(::mkfifo(sidecarPath(trace()).c_str(), 0600), 0);
    QVERIFY(readSidecar(trace()).error().message.find("not a regular file") != std::string::npos);
    QVERIFY(!writeSidecar(trace(), {kBert}));
    QVERIFY(QFile::remove(file()));
    QVERIFY(QDir().mkdir(file()));
    QVERIFY(!readSidecar(trace()));
    QVERIFY(!writeSidecar(trace(), {}));
    QVERIFY(QDir(file()).exists());
}

void SidecarTest::aLinkDoesNotLeadToOtherFiles() {
    QFile other(m_folder->filePath("other.txt"));
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("mine") == 4);
    other.close();
    QVERIFY(other.link(file()));
    QVERIFY(!readSidecar(trace()));
    QVERIFY(!writeSidecar(trace(), {kBert}));
    QCOMPARE(content(), QByteArray("mine"));
}

void SidecarTest::aFolderThatCannotBeWrittenIsSaid() {
    // Not even root makes files there.
    const auto written = writeSidecar("/proc/train.json", {kBert});
    QVERIFY(!written && written.error().kind == ErrorKind::Output);
    QVERIFY2(
        written.error().message.starts_with("'/proc/train.json.kinetoscope': cannot be written: "),
        written.error().message.c_str());
    if (::geteuid() != 0) {
        QCOMPARE(::chmod(m_folder->path().toLocal8Bit().constData(), 0500), 0);
        QVERIFY(!writeSidecar(trace(), {kBert}));
        QVERIFY(readSidecar(trace()).has_value());
        QCOMPARE(::chmod(m_folder->path().toLocal8Bit().constData(), 0700), 0);
    }
}

void SidecarTest::notesAreReadAgain() {
    const Sidecar all{kBert,
                      {{{1'700'000'000'000'000'001, 1'700'000'000'000'000'001}, "größte Pause"},
                       {{-5, 9}, "\"before\" the first"},
                       {{7, 9}, ""}}};
    QVERIFY(writeSidecar(trace(), all).has_value());
    QVERIFY(*readSidecar(trace()) == all);
    QVERIFY2(content().contains("1700000000000000001"), content().constData());
    QVERIFY(changeSidecar(trace(), [](Sidecar& kept) { kept.notes.clear(); })->run == kBert);
    QVERIFY2(!content().contains("notes"), content().constData());
}

void SidecarTest::notesKeepWhatLaterReleasesSayOfThem() {
    write(R"({"schema":"kinetoscope.sidecar/1","notes":[)"
          R"({"start_ns":1,"end_ns":2,"text":"a","colour":"red"},)"
          R"({"start_ns":1,"end_ns":2,"text":"b","colour":"blue"}]})");
    const auto changed = changeSidecar(trace(), [](Sidecar& kept) {
        kept.notes.erase(kept.notes.begin());
        kept.notes.push_back({{3, 3}, "c"});
    });
    QCOMPARE(changed->notes.size(), std::size_t{2});
    QVERIFY2(content().contains("blue") && !content().contains("red"), content().constData());
}

// As two windows do that have both read the file before.
void SidecarTest::writersLoseNothingOfEachOther() {
    constexpr int kEach = 40;
    const auto add = [this](const std::string& who) {
        for (int i = 0; i < kEach; ++i) {
            (void)changeSidecar(trace(), [&](Sidecar& kept) {
                kept.notes.push_back({{i, i}, who + std::to_string(i)});
            });
        }
    };
    std::thread other(add, "b");
    add("a");
    QVERIFY(changeSidecar(trace(), [](Sidecar& kept) { kept.run = kBert; }).has_value());
    other.join();
    const auto all = readSidecar(trace());
    QCOMPARE(all->notes.size(), std::size_t{2 * kEach});
    QVERIFY(all->run == kBert);
}

void SidecarTest::notesThatDoNotFitAreSaid() {
    const Note note{{1, 1}, std::string(kMaxNoteBytes, 'x')};
    QVERIFY(writeSidecar(trace(), {kBert, {note}}).has_value());
    const auto full = changeSidecar(
        trace(), [&](Sidecar& kept) { kept.notes.assign(kMaxSidecarBytes / kMaxNoteBytes, note); });
    QVERIFY(!full && full.error().kind == ErrorKind::Output);
    QVERIFY2(full.error().message.find("delete some notes") != std::string::npos,
             full.error().message.c_str());
    QCOMPARE(readSidecar(trace())->notes.size(), std::size_t{1});
}

void SidecarTest::aNameIsOneLine() {
    write(withRun(R"({'name':'bert\nOutput for tabulate: \u001b[2J'})"));
    QCOMPARE(readSidecar(trace())->run.name, std::string(R"(bert\nOutput for tabulate: \x1b[2J)"));
}

void SidecarTest::anyDamageIsReadOrSaid() {
    QVERIFY(writeSidecar(trace(), {kBert, {{{1, 2}, "slow"}, {{-3, -3}, "fast"}}}).has_value());
    const QByteArray good = content();
    std::mt19937 random(20);
    for (int i = 0; i < 500; ++i) {
        QByteArray bad = good;
        for (auto changes = 1 + random() % 3; changes > 0; --changes) {
            bad[static_cast<qsizetype>(random() % static_cast<unsigned>(bad.size()))] =
                static_cast<char>(random());
        }
        bad.truncate(random() % 4 == 0 ? static_cast<qsizetype>(random()) % bad.size()
                                       : bad.size());
        write(bad);
        const auto read = readSidecar(trace());
        if (read && read->run.wallMs) {
            QVERIFY(*read->run.wallMs >= kMinWallMs && *read->run.wallMs <= kMaxWallMs);
        }
        if (read && read->run.runs) {
            QVERIFY(*read->run.runs >= 1 && *read->run.runs <= kMaxRuns);
        }
        if (read) {
            QVERIFY(std::ranges::all_of(
                read->notes, [](const Note& note) { return note.span.start <= note.span.end; }));
        }
        QVERIFY(read || !read.error().message.empty());
    }
}

void SidecarTest::optionsHaveTheirDefaults() {
    const CompatOptions none = compatOptions({});
    QVERIFY(!none.wallMs && none.runs == 1 && none.name == "None");
    const CompatOptions all = compatOptions(kBert);
    QVERIFY(all.wallMs == 0.327 && all.runs == 100 && all.name == "bert");
}

QTEST_APPLESS_MAIN(SidecarTest)
#include "SidecarTest.moc"
