// SPDX-License-Identifier: Apache-2.0
// Captures and results with random damage, the same in every run. KINETOSCOPE_MUTATIONS says how
// many of each; without it there are as many as take a few seconds.
#include <fmt/format.h>

#include <QtTest>
#include <fstream>

#include "tests/support/CaptureTrial.h"
#include "tests/support/Mutator.h"
#include "tests/support/ResultTrial.h"
#include "tests/support/SampleCapture.h"
#include "tests/support/SampleResults.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::test;

namespace {

// The damage of one number in a row, so that a failure can be looked at alone.
std::string damagedCapture(std::uint64_t number) {
    static const std::string kSample = sampleCapture();
    Mutator mutator(number);
    std::string bytes = mutator.bytes(kSample);
    if (mutator.below(16) > 0) {
        mendCapture(bytes);
    }
    return bytes;
}

std::string damagedResult(std::uint64_t number) {
    static const std::vector<std::string> kSamples = sampleResults();
    return Mutator(number).json(kSamples[number % kSamples.size()]);
}

}  // namespace

class MutationTest : public QObject {
    Q_OBJECT

private slots:
    void samplesAreGood() {
        QTemporaryDir folder;
        QCOMPARE(CaptureTrial(folder.path().toStdString()).run(sampleCapture()), std::string());
        for (const std::string& result : sampleResults()) {
            QCOMPARE(tryResult(result), std::string());
        }
    }

    // Most get past the checksums; what is left of them must not be the same few errors.
    void mendedCapturesAreRead() {
        QTemporaryDir folder;
        const CaptureTrial trial(folder.path().toStdString());
        int read = 0;
        for (std::uint64_t number = 0; number < 100; ++number) {
            std::ofstream(folder.filePath("a.kscope").toStdString(), std::ios::binary)
                << damagedCapture(number);
            read += loadTrace(folder.filePath("a.kscope").toStdString()) ? 1 : 0;
        }
        QVERIFY2(read > 50, std::to_string(read).c_str());
    }

    void capturesMayHoldAnything() {
        QTemporaryDir folder;
        const CaptureTrial trial(folder.path().toStdString());
        const std::uint64_t count = mutations(250);
        for (std::uint64_t number = 0; number < count; ++number) {
            const std::string problem = trial.run(damagedCapture(number));
            QVERIFY2(problem.empty(), fmt::format("capture {}: {}", number, problem).c_str());
        }
    }

    void resultsMayHoldAnything() {
        const std::uint64_t count = mutations(600);
        for (std::uint64_t number = 0; number < count; ++number) {
            const std::string problem = tryResult(damagedResult(number));
            QVERIFY2(problem.empty(), fmt::format("result {}: {}", number, problem).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(MutationTest)
#include "MutationTest.moc"
