// SPDX-License-Identifier: Apache-2.0
// Processes that divide the files of a job, one after the other: what they leave and find.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include "core/ranks/JobFiles.h"
#include "core/ranks/workers/SharedWork.h"
#include "core/text/OutputFile.h"
#include "tests/support/SampleRanks.h"

using namespace kinetoscope;
using namespace kinetoscope::ranks;
using kinetoscope::ranks::workers::SharedWork;

namespace {

constexpr std::chrono::milliseconds kAtOnce(0);

Partial partialOf(std::int64_t rank) {
    return {{test::sampleRank(rank, 2)}, {}};
}

Result<std::shared_ptr<const trace::Trace>> notThere(const std::string& path, unsigned /*threads*/,
                                                     const std::stop_token& /*stop*/) {
    return fail("'" + path + "': no such file");
}

}  // namespace

class SharedWorkTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_files = {path("0.ranks"), path("1.ranks")};
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            QVERIFY(writePartial(m_files[static_cast<std::size_t>(rank)], partialOf(rank)));
        }
    }

    void whatChangesWhileItIsPutTogetherIsPutTogetherAgain() {
        SharedWork first(path("job.json"), m_files, {.number = 0, .count = 2});
        QVERIFY(first.readShare(notThere, {}));
        QVERIFY(first.takeTurn(kAtOnce, {}).value());
        QCOMPARE(first.gather({}).value().records.size(), std::size_t{1});
        SharedWork second(path("job.json"), m_files, {.number = 1, .count = 2});
        QVERIFY(second.readShare(notThere, {}));  // the first one does not know of it
        QVERIFY(text::writeFile(path("job.json"), "one rank"));
        first.finishTurn();
        QVERIFY(second.takeTurn(kAtOnce, {}).value());
        QCOMPARE(second.gather({}).value().records.size(), std::size_t{2});
    }

    void partialsOfOtherFilesAreNotUsed() {
        m_files.push_back(path("2.json"));
        for (const std::size_t number : {2U, 0U}) {
            SharedWork work(path("job.json"), m_files, {.number = number, .count = 3});
            QVERIFY(work.readShare(notThere, {}));
        }
        SharedWork work(path("job.json"), m_files, {.number = 1, .count = 3});
        QVERIFY(work.readShare(notThere, {}));
        QVERIFY(work.takeTurn(kAtOnce, {}).value());
        const Partial before = work.gather({}).value();
        QCOMPARE(before.lost.size(), std::size_t{1});
        QVERIFY(before.lost[0].reason.find("no such file") != std::string::npos);

        const QDir parts(QString::fromStdString(work.folder()));
        const QStringList own = parts.entryList({QStringLiteral("2.json.*.ranks")});
        QCOMPARE(own.size(), 1);
        QVERIFY(writePartial(parts.filePath(own[0]).toStdString(), partialOf(5)));
        const Partial after = work.gather({}).value();
        QCOMPARE(after.records.size(), std::size_t{2});
        QCOMPARE(after.lost.size(), std::size_t{1});
        QCOMPARE(after.lost[0].file, path("2.json"));
        QVERIFY(after.lost[0].reason.find("worker 2 of 3 ended") != std::string::npos);
    }

private:
    std::string path(const char* name) const {
        return m_folder->filePath(QString::fromLatin1(name)).toStdString();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::vector<std::string> m_files;
};

QTEST_APPLESS_MAIN(SharedWorkTest)
#include "SharedWorkTest.moc"
