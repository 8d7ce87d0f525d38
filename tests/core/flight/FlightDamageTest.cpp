// SPDX-License-Identifier: Apache-2.0
// A recorded pair of dumps, whole and with random damage. KINETOSCOPE_MUTATIONS says how many.
#include <fmt/format.h>

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <iterator>

#include "core/flight/FlightText.h"
#include "core/flight/LoadFlight.h"
#include "tests/support/Mutator.h"

using namespace kinetoscope;
using namespace kinetoscope::flight;

namespace {

const std::string kFolder = KINETOSCOPE_SOURCE_DIR "/tests/data/flight/";

std::string bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

class FlightDamageTest : public QObject {
    Q_OBJECT

private slots:
    void recordedPair() {
        const auto files = dumpFiles({kFolder});
        QCOMPARE(files.size(), std::size_t{2});
        const auto job = loadFlight(files, 2, {});
        QVERIFY2(job, job ? "" : job.error().message.c_str());
        QCOMPARE(job->stuck.size(), std::size_t{1});
        QCOMPARE(job->stuck[0].number, 211);
        QCOMPARE(job->stuck[0].why, Why::Absent);
        QVERIFY(job->mismatches.empty());
        QCOMPARE(job->dumps[0].entries.size(), std::size_t{211});
        QCOMPARE(job->dumps[1].entries.size(), std::size_t{210});
    }

    // One of the two is damaged: whatever is left of it, there is an answer or a message that names
    // the file.
    void mutationsEndInAMessageOrAnAnswer() {
        const std::size_t count = test::mutations(2000);
        const QTemporaryDir folder;
        const std::string whole = folder.filePath("rank0.pickle").toStdString();
        const std::string damaged = folder.filePath("rank1.pickle").toStdString();
        write(whole, bytesOf(kFolder + "nccl_hang_rank0.pickle"));
        const std::string bytes = bytesOf(kFolder + "nccl_hang_rank1.pickle");
        std::size_t read = 0;
        for (std::uint64_t number = 0; number < count; ++number) {
            write(damaged, test::Mutator(number).bytes(bytes));
            const auto job = loadFlight({whole, damaged}, 1, {});
            QVERIFY2(job, fmt::format("{}: {}", number, job ? "" : job.error().message).c_str());
            for (const UnreadDump& unread : job->unread) {
                QVERIFY2(unread.reason.starts_with("'" + damaged + "': is not a "),
                         fmt::format("{}: {}", number, unread.reason).c_str());
            }
            read += job->unread.empty() ? 1U : 0U;
            if (number % 8 == 0) {
                QVERIFY(!flightText(*job, {}).empty() && !flightCsv(*job).empty() &&
                        !flightMarkdown(*job).empty());
                QVERIFY(flightJson(*job).starts_with("{\"schema\":\"kinetoscope.flight/1\""));
            }
        }
        QVERIFY2(read > 20 && read < count - 20, fmt::format("{} were read", read).c_str());
    }

    // Lists that are the same one many times over.
    void repeatedEntriesAreRefused() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("rank0.pickle").toStdString();
        // {'version': '1', 'entries': a list of 2^22 + 1 times one entry}
        std::string bytes =
            "\x80\x02}(U\x07versionU\x01"
            "1U\x07"
            "entries](";
        bytes += "}U\x0eprofiling_nameU\x0bnccl:reducesq";
        bytes += '\x01';
        for (std::size_t i = 0; i < (std::size_t{1} << 22U); ++i) {
            bytes += "h\x01";
        }
        write(path, bytes + "eu.");
        const auto job = loadFlight({path}, 1, {});
        QVERIFY(!job);
        QVERIFY2(job.error().message.find("more entries than one holds") != std::string::npos,
                 job.error().message.c_str());
    }

    void twoOfOneRank() {
        const QTemporaryDir folder;
        for (const char* const name : {"a_rank1", "b_rank1"}) {
            write(folder.filePath(name).toStdString(), bytesOf(kFolder + "nccl_hang_rank1.pickle"));
        }
        const auto job = loadFlight(dumpFiles({folder.path().toStdString()}), 1, {});
        QVERIFY(!job);
        QVERIFY2(job.error().message.find("is of rank 1, and so is") != std::string::npos,
                 job.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(FlightDamageTest)
#include "FlightDamageTest.moc"
