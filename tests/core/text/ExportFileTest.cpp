// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <string>

#include "core/text/OutputFile.h"

using namespace kinetoscope;
using namespace kinetoscope::text;

class ExportFileTest final : public QObject {
    Q_OBJECT

private slots:
    void fileAppearsOnlyWhenItIsWhole();
    void abandonedFileLeavesNothingBehind();
    void replacedFileKeepsItsRights();
    void newFileIsReadableByTheMask();
    void linkIsFollowed();
    void fullDiskIsAnOutputError();
    void directoryIsRefused();
    void missingFolderIsNamed();
    void readOnlyFileIsNotReplaced();

private:
    [[nodiscard]] std::string path(const char* name) const {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
    [[nodiscard]] static QByteArray content(const std::string& path) {
        QFile file(QString::fromStdString(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
    }
    [[nodiscard]] int entries() const {
        return static_cast<int>(
            QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden | QDir::System).size());
    }

    QTemporaryDir m_folder;
};

void ExportFileTest::fileAppearsOnlyWhenItIsWhole() {
    const std::string target = path("whole.txt");
    QVERIFY(writeFile(target, "old").has_value());
    auto file = OutputFile::create(target);
    QVERIFY(file.has_value());
    QVERIFY(file->write("new ").has_value());
    QVERIFY(file->write("text").has_value());
    QCOMPARE(content(target), QByteArray("old"));
    QVERIFY(file->commit().has_value());
    QCOMPARE(content(target), QByteArray("new text"));
    QCOMPARE(file->written(), std::uint64_t{8});
    QVERIFY(QFile::remove(QString::fromStdString(target)));
    QCOMPARE(entries(), 0);
}

void ExportFileTest::abandonedFileLeavesNothingBehind() {
    const std::string target = path("abandoned.txt");
    {
        auto file = OutputFile::create(target);
        QVERIFY(file.has_value());
        QVERIFY(file->write("half").has_value());
        QCOMPARE(entries(), 1);
    }
    QCOMPARE(entries(), 0);
}

void ExportFileTest::replacedFileKeepsItsRights() {
    const std::string target = path("rights.txt");
    QVERIFY(writeFile(target, "old").has_value());
    QCOMPARE(::chmod(target.c_str(), 0640), 0);
    QVERIFY(writeFile(target, "new").has_value());
    struct stat status {};
    QCOMPARE(::stat(target.c_str(), &status), 0);
    QCOMPARE(status.st_mode & 07777U, 0640U);
    QVERIFY(QFile::remove(QString::fromStdString(target)));
}

void ExportFileTest::newFileIsReadableByTheMask() {
    const mode_t before = ::umask(027);
    const std::string target = path("mask.txt");
    QVERIFY(writeFile(target, "new").has_value());
    ::umask(before);
    struct stat status {};
    QCOMPARE(::stat(target.c_str(), &status), 0);
    QCOMPARE(status.st_mode & 07777U, 0640U);
    QVERIFY(QFile::remove(QString::fromStdString(target)));
}

void ExportFileTest::linkIsFollowed() {
    const std::string target = path("target.txt");
    const std::string link = path("link.txt");
    QVERIFY(writeFile(target, "old").has_value());
    QCOMPARE(::symlink(target.c_str(), link.c_str()), 0);
    QVERIFY(writeFile(link, "new").has_value());
    QCOMPARE(content(target), QByteArray("new"));
    struct stat status {};
    QCOMPARE(::lstat(link.c_str(), &status), 0);
    QVERIFY(S_ISLNK(status.st_mode));
    QVERIFY(QFile::remove(QString::fromStdString(link)));
    QVERIFY(QFile::remove(QString::fromStdString(target)));
}

void ExportFileTest::fullDiskIsAnOutputError() {
    const auto written = writeFile("/dev/full", "text");
    QVERIFY(!written.has_value());
    QCOMPARE(written.error().kind, ErrorKind::Output);
    QCOMPARE(written.error().message,
             std::string("'/dev/full': cannot be written: No space left on device"));
}

void ExportFileTest::directoryIsRefused() {
    const auto written = writeFile(m_folder.path().toStdString(), "text");
    QVERIFY(!written.has_value());
    QCOMPARE(written.error().kind, ErrorKind::Output);
    QVERIFY(written.error().message.ends_with("Is a directory"));
}

void ExportFileTest::missingFolderIsNamed() {
    const auto written = writeFile(path("nowhere/out.txt"), "text");
    QVERIFY(!written.has_value());
    QVERIFY(written.error().message.find("nowhere/out.txt': cannot be written: No such file") !=
            std::string::npos);
}

void ExportFileTest::readOnlyFileIsNotReplaced() {
    if (::geteuid() == 0) {
        QSKIP("root may write everything");
    }
    const std::string target = path("readonly.txt");
    QVERIFY(writeFile(target, "old").has_value());
    QCOMPARE(::chmod(target.c_str(), 0440), 0);
    QVERIFY(!writeFile(target, "new").has_value());
    QCOMPARE(content(target), QByteArray("old"));
    QVERIFY(QFile::remove(QString::fromStdString(target)));
}

QTEST_APPLESS_MAIN(ExportFileTest)
#include "ExportFileTest.moc"
